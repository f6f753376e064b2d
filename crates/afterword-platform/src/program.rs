//! By which path other programs are to start this one: one that is still there tomorrow.
//!
//! An AppImage is mounted in a folder that is gone when it ends, and macOS runs an app that was not moved out of its download from
//! a folder of its own. A path in either must not stand in another program's settings. Start at [`lasting_program`].

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

use crate::files::{create_private_directory, flush_names, put_in_place, real_path};

/// The folder macOS runs an app from that it does not trust where it is.
const TRANSLOCATED: &str = "AppTranslocation";

/// A file of this program, and what the environment says about where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFile {
    /// The file, as the system names it.
    pub path: PathBuf,
    /// `PATH`.
    pub search_path: Option<OsString>,
    /// `APPDIR`: the folder an AppImage is mounted in while it runs.
    pub image: Option<PathBuf>,
}

impl ProgramFile {
    /// The file at `path`, in the environment of this process.
    pub fn of_process(path: PathBuf) -> Self {
        let image = std::env::var_os("APPDIR").filter(|folder| !folder.is_empty());
        Self { path, search_path: std::env::var_os("PATH"), image: image.map(PathBuf::from) }
    }

    fn is_in_image(&self) -> bool {
        let Some(image) = &self.image else { return false };
        let real = |path: &Path| real_path(path).unwrap_or_else(|_| path.to_owned());
        real(&self.path).starts_with(real(image))
    }
}

/// macOS runs the app from a folder that is gone when it ends.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: macOS runs Afterword from a temporary folder", path.display())]
pub struct TranslocatedProgram {
    /// The program in it.
    pub path: PathBuf,
}

/// A path by which this program can be started as long as it is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastingProgram {
    path: PathBuf,
    /// The program in a mounted image, of which `path` is a copy.
    original: Option<PathBuf>,
}

/// The path to start this program by that lives longest: of a program in an AppImage the copy `copy`, which [`LastingProgram::put_in_place`]
/// makes; else where the search path leads to the same file, that entry, which stays when an update puts the program into another folder.
///
/// # Errors
/// [`TranslocatedProgram`].
pub fn lasting_program(running: &ProgramFile, copy: PathBuf) -> Result<LastingProgram, TranslocatedProgram> {
    if running.path.components().any(|part| part.as_os_str() == TRANSLOCATED) {
        return Err(TranslocatedProgram { path: running.path.clone() });
    }
    Ok(if running.is_in_image() {
        LastingProgram { path: copy, original: Some(running.path.clone()) }
    } else {
        let path = find_in_search_path(&running.path, running.search_path.as_deref());
        LastingProgram { path: path.unwrap_or_else(|| running.path.clone()), original: None }
    })
}

fn find_in_search_path(running: &Path, search_path: Option<&OsStr>) -> Option<PathBuf> {
    let name = running.file_name()?;
    let real = real_path(running).ok()?;
    let folders = std::env::split_paths(search_path?).filter(|folder| folder.is_absolute());
    folders
        .map(|folder| folder.join(name))
        .find(|candidate| real_path(candidate).is_ok_and(|path| path == real))
}

impl LastingProgram {
    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The program can be started by its path, or will be once it is put in place.
    pub fn exists(&self) -> bool {
        self.original.as_deref().unwrap_or(&self.path).is_file()
    }

    /// Makes the copy of a program in a mounted image, or renews one of another version. Nothing happens to any other program.
    ///
    /// # Errors
    /// [`io::Error`]: the copy cannot be made, for lack of space or of rights.
    pub fn put_in_place(&self) -> io::Result<()> {
        match &self.original {
            Some(original) if !is_same(original, &self.path)? => copy_program(original, &self.path),
            _ => Ok(()),
        }
    }

    /// As [`Self::put_in_place`], where there is a copy already: what was installed from an earlier image starts this one's program.
    ///
    /// # Errors
    /// [`io::Error`]: the copy cannot be made, for lack of space or of rights.
    pub fn renew(&self) -> io::Result<()> {
        if self.original.is_some() && self.path.is_file() { self.put_in_place() } else { Ok(()) }
    }
}

/// Renamed over the one that is there, which may be running.
fn copy_program(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    create_private_directory(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    io::copy(&mut File::open(from)?, file.as_file_mut())?;
    file.as_file().set_permissions(fs::metadata(from)?.permissions())?;
    file.as_file().sync_all()?;
    put_in_place(file, to)?;
    flush_names(folder)
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let mut one = File::open(one)?;
    let mut other = match File::open(other) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => opened?,
    };
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        one.by_ref().take(1 << 20).read_to_end(&mut left)?;
        other.by_ref().take(1 << 20).read_to_end(&mut right)?;
        if left != right || left.is_empty() {
            return Ok(left == right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &Path, content: &str) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        path.to_owned()
    }

    #[test]
    fn program_in_a_mounted_image_is_started_by_a_copy_that_is_renewed() {
        let folder = tempfile::tempdir().unwrap();
        let mount = folder.path().join(".mount_AfterwXYZ");
        let path = program(&mount.join("usr/bin/afterword"), "one");
        let copy = folder.path().join("state/bin/afterword");
        // The search path of an AppImage begins with its own folder.
        let search_path = Some(mount.join("usr/bin").into_os_string());
        let running = ProgramFile { path: path.clone(), search_path, image: Some(mount) };
        let lasting = lasting_program(&running, copy.clone()).unwrap();
        assert_eq!((lasting.path(), lasting.exists()), (copy.as_path(), true));
        lasting.renew().unwrap();
        assert!(!copy.exists(), "nothing was installed, so there is nothing to renew");
        lasting.put_in_place().unwrap();
        assert_eq!(fs::read_to_string(&copy).unwrap(), "one");
        program(&path, "two");
        lasting.renew().unwrap();
        assert_eq!(fs::read_to_string(&copy).unwrap(), "two");
        let before = fs::metadata(&copy).unwrap().modified().unwrap();
        lasting.renew().unwrap();
        assert_eq!(fs::metadata(&copy).unwrap().modified().unwrap(), before, "it is the same already");
    }

    #[test]
    fn program_outside_the_image_is_none_of_its() {
        let folder = tempfile::tempdir().unwrap();
        let path = program(&folder.path().join("usr/bin/afterword"), "one");
        let image = Some(folder.path().join(".mount_Other"));
        let running = ProgramFile { path: path.clone(), search_path: None, image };
        let lasting = lasting_program(&running, folder.path().join("copy")).unwrap();
        lasting.put_in_place().unwrap();
        assert_eq!(lasting.path(), path);
        assert!(!folder.path().join("copy").exists());
    }

    #[test]
    fn app_that_was_not_moved_out_of_its_download_is_refused() {
        let path = PathBuf::from(
            "/private/var/folders/x/T/AppTranslocation/1A/d/Afterword.app/Contents/MacOS/afterword",
        );
        let running = ProgramFile { path: path.clone(), search_path: None, image: None };
        assert_eq!(lasting_program(&running, "copy".into()), Err(TranslocatedProgram { path }));
    }

    #[cfg(unix)]
    #[test]
    fn entry_of_the_search_path_outlasts_a_folder_with_a_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = program(&folder.path().join("1.2.3/afterword"), "one");
        let entry = folder.path().join("bin/afterword");
        fs::create_dir_all(entry.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&path, &entry).unwrap();
        let search_path = Some(entry.parent().unwrap().as_os_str().to_owned());
        let running = ProgramFile { path, search_path, image: None };
        assert_eq!(lasting_program(&running, "copy".into()).unwrap().path(), entry);
    }
}
