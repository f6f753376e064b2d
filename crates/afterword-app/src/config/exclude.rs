//! Which projects are never read (`privacy.exclude`).

use afterword_core::ProjectKey;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::spelling::comparable;

/// Path patterns; a project is excluded when its path, or a folder it lies in, fits one of them.
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
            let glob = GlobBuilder::new(&text)
                .literal_separator(true)
                .backslash_escape(false)
                .case_insensitive(cfg!(any(windows, target_os = "macos")))
                .build()
                .map_err(bad)?;
            set.add(glob);
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
        let path = comparable(project.as_str());
        let above = path.match_indices('/').map(|(end, _)| &path[..end]).filter(|folder| !folder.is_empty());
        above.chain([path.as_str()]).any(|folder| self.globs.is_match(folder))
    }

    /// Nothing is excluded.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }
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
