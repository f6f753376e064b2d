//! Which projects are never read (`privacy.exclude`).

use std::path::{Path, PathBuf};

use afterword_core::ProjectKey;
use afterword_platform::files::real_path;
use afterword_platform::wsl::local_path;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::spelling::{as_named, comparable, without_dots};

/// Path patterns; a project is excluded when its path, or a folder it lies in, fits one of them, also where either goes over a link.
#[derive(Debug, Clone, Default)]
pub struct Exclusions {
    globs: GlobSet,
    patterns: Vec<String>,
}

impl Exclusions {
    /// Takes patterns with `~` already expanded. One without a leading separator fits at any depth.
    ///
    /// # Errors
    /// The first pattern that cannot be understood, and why.
    pub fn new(patterns: &[String]) -> Result<Self, (String, String)> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let bad = |error: globset::Error| (pattern.clone(), error.kind().to_string());
            let mut text = comparable(pattern);
            while let Some(shorter) = text.strip_suffix("/**").or_else(|| text.strip_suffix('/')) {
                text.truncate(shorter.len());
            }
            if text.is_empty() {
                return Err((pattern.clone(), "it would exclude everything".to_owned()));
            }
            let drive = text.as_bytes().get(1) == Some(&b':');
            if !text.starts_with('/') && !text.starts_with("**/") && !drive {
                text.insert_str(0, "**/");
            }
            set.add(glob(&text).map_err(bad)?);
            if let Some(real) = without_links(&text) {
                set.add(glob(&real).map_err(bad)?);
            }
        }
        let globs = set.build().map_err(|error| (patterns.join(", "), error.kind().to_string()))?;
        Ok(Self { globs, patterns: patterns.to_vec() })
    }

    /// The patterns.
    pub(crate) fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Whether the project is excluded.
    pub fn covers(&self, project: &ProjectKey) -> bool {
        if self.globs.is_empty() {
            return false;
        }
        let local = local_path(project.as_str());
        let path = as_named(&local);
        let real = || real_folder(Path::new(&*local)).map(|real| comparable(&real.to_string_lossy()));
        self.fits(&path)
            // A pattern that says "any drive" has no other name.
            || *local != *project.as_str() && self.fits(&as_named(project.as_str()))
            || self.fits(&comparable(&without_dots(Path::new(&path)).to_string_lossy()))
            || real().is_some_and(|real| self.fits(&real))
    }

    /// Whether a path, or a folder it lies in, fits a pattern as it is written.
    fn fits(&self, path: &str) -> bool {
        let above = path.match_indices('/').map(|(end, _)| &path[..end]).filter(|folder| !folder.is_empty());
        above.chain([path]).any(|folder| self.globs.is_match(folder))
    }

    /// Nothing is excluded.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }
}

fn glob(text: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(text)
        .literal_separator(true)
        .backslash_escape(false)
        .case_insensitive(cfg!(any(windows, target_os = "macos")))
        .build()
}

/// A pattern with the folders it begins with as they are after every link; `None` where that is the same.
fn without_links(pattern: &str) -> Option<String> {
    let first_open = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let end = if first_open == pattern.len() { first_open } else { pattern[..first_open].rfind('/')? };
    let (folders, rest) = pattern.split_at(end);
    let real = comparable(&real_folder(Path::new(folders))?.to_string_lossy());
    (real != folders).then(|| format!("{}{rest}", globset::escape(&real)))
}

/// A folder after every link; of one that is gone, as far as there is anything.
fn real_folder(path: &Path) -> Option<PathBuf> {
    if !path.is_absolute() {
        return None;
    }
    path.ancestors().find_map(|above| {
        let real = real_path(above).ok()?;
        // Joining nothing would put a separator at the end.
        Some(path.strip_prefix(above).ok()?.components().fold(real, |folder, below| folder.join(below)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, project: &str, excluded: bool) {
        let exclusions = Exclusions::new(&[pattern.to_owned()]).unwrap();
        assert_eq!(exclusions.covers(&ProjectKey::from_cwd(project)), excluded, "{pattern} over {project}");
    }

    #[test]
    fn covers_a_folder_and_what_is_below() {
        check("/home/ada/clients", "/home/ada/clients", true);
        check("/home/ada/clients", "/home/ada/clients/acme/web", true);
        check("/home/ada/clients", "/home/ada/clients-old", false);
        check("/home/ada/clients/**", "/home/ada/clients", true);
        check("/home/ada/clients/**", "/home/ada/clients/acme", true);
        check("/home/ada/clients/", "/home/ada/clients", true);
        check("/home/ada/clients/*", "/home/ada/clients", false);
        check("/home/ada/clients/*", "/home/ada/clients/acme/web", true);
        check("/home/*/clients", "/home/ada/clients", true);
        check("/home/*/clients", "/home/ada/b/clients", false);
        check("/home/**/clients", "/home/ada/b/clients", true);
    }

    #[test]
    fn detours_lead_out_of_nothing() {
        check("/home/ada/clients", "/home/ada//clients/acme", true);
        check("/home/ada/clients", "/home/ada/./clients", true);
        check("/home/ada/clients", "/home/ada/shop/../clients/acme", true);
        check("/home/ada/clients", "/home/ada/clients-old/../shop", false);
    }

    #[cfg(unix)]
    #[test]
    fn link_leads_out_of_nothing_on_either_side() {
        let home = tempfile::tempdir().unwrap();
        let home = real_path(home.path()).unwrap();
        std::fs::create_dir_all(home.join("disk/clients/acme")).unwrap();
        std::os::unix::fs::symlink(home.join("disk"), home.join("work")).unwrap();
        std::os::unix::fs::symlink(home.join("disk/clients"), home.join("alias")).unwrap();
        let at = |path: &str| home.join(path).to_str().unwrap().to_owned();
        for pattern in ["disk/clients", "work/clients/**", "work/clients", "work/cl*", "alias"] {
            for folder in
                ["disk/clients/acme", "work/clients", "alias/acme", "alias", "work/clients/gone/for/good"]
            {
                check(&at(pattern), &at(folder), true);
            }
            check(&at(pattern), &at("work/other"), false);
        }
        check("clients", &at("alias/acme"), true);
    }

    #[test]
    fn bare_name_fits_at_any_depth() {
        check("secret-*", "/home/ada/secret-plan", true);
        check("secret-*", "/home/ada/secret-plan/web", true);
        check("secret-*", "/home/ada/no-secret-plan", false);
        check("acme/web", "/srv/acme/web", true);
    }

    #[test]
    fn understands_windows_paths() {
        check(r"C:\clients", r"C:\clients\acme", true);
        check(r"clients\acme", r"C:\clients\acme", true);
    }

    #[test]
    fn letters_with_accents_are_the_same_in_either_form() {
        check("B\u{fc}ro", "/Users/ada/Bu\u{308}ro", true);
        check("/Users/ada/Bu\u{308}ro", "/Users/ada/B\u{fc}ro/plan", true);
    }

    #[test]
    fn pattern_that_would_exclude_everything_is_refused() {
        for pattern in ["/", "/**", ""] {
            assert!(Exclusions::new(&[pattern.to_owned()]).is_err(), "{pattern:?}");
        }
        assert!(Exclusions::new(&["a[".to_owned()]).is_err());
    }
}
