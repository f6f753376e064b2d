//! Files and directories for the user alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

/// Makes a directory (and those above it) with mode 0700 where the system has modes; leaves one that exists alone. What was
/// made outlasts a power cut.
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    missing.into_iter().filter_map(Path::parent).try_for_each(flush_names)
}

/// Flushes the names in a directory to the disk. One that may not be read cannot be flushed.
#[cfg(unix)]
pub fn flush_names(directory: &Path) -> io::Result<()> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    match File::open(directory) {
        Ok(directory) => directory.sync_all(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// Windows gives no way to flush a directory; NTFS journals the names.
#[cfg(not(unix))]
pub fn flush_names(_directory: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens a file for writing, making it with mode 0600 where there is none; keeps what it holds.
pub fn open_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    without_following_or_waiting(&mut options);
    options.open(path)
}

/// Adds a line to a log for the user alone, in one write. A log of `longest` bytes is put aside first ([`rotated_path`]), in the place of the one
/// put aside before. Several programs may write to one log.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for what is no regular file, and [`io::Error`] for what cannot be opened, read or written.
pub fn append_to_log(path: &Path, line: &[u8], longest: u64) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(data) if !data.is_file() => {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"));
        }
        // One that cannot be put aside, as somebody reads it on Windows, goes on until it can.
        Ok(data) if data.len() >= longest => drop(rotate(path, longest)),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    without_following_or_waiting(&mut options);
    options.open(path)?.write_all(line)
}

/// Of several programs that find a log too long only the first puts it aside: a second would put the new one in the old one's place.
fn rotate(path: &Path, longest: u64) -> io::Result<()> {
    let log = File::open(path)?;
    log.lock()?;
    let still_is_long = fs::symlink_metadata(path)?.len() >= longest;
    if still_is_long { fs::rename(path, rotated_path(path)) } else { Ok(()) }
}

/// Where a log is put that grew too long.
pub fn rotated_path(path: &Path) -> PathBuf {
    path.with_extension("log.1")
}

/// Opens a file to read it, if it is one: no link is followed, and no pipe is waited for.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for what is no regular file, and [`io::Error`] for what cannot be opened, read or written.
pub fn open_regular_file(path: &Path) -> io::Result<File> {
    let no_file = || io::Error::new(io::ErrorKind::InvalidData, "not a regular file");
    // Looked at also where the system can refuse a link by itself: what it says then differs from system to system.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(no_file());
    }
    let mut options = OpenOptions::new();
    options.read(true);
    without_following_or_waiting(&mut options);
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

#[cfg(unix)]
fn without_following_or_waiting(options: &mut OpenOptions) {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed());
}

#[cfg(not(unix))]
fn without_following_or_waiting(_options: &mut OpenOptions) {}

/// Reads a text file the user may have put a link in the place of; what is no regular file is not waited for.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for what is no regular file or no Unicode, and [`io::Error`] for what cannot be opened, read or written.
pub fn read_text(path: &Path) -> io::Result<String> {
    must_be_file(path)?;
    fs::read_to_string(path)
}

/// The same of bytes that may be no text.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for what is no file, and [`io::Error`] for what cannot be opened or read.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    must_be_file(path)?;
    fs::read(path)
}

fn must_be_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"))
}

/// Makes a file with mode 0600, empty, in place of what was there.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    without_following_or_waiting(&mut options);
    options.open(path)
}

/// Whether there is a file that can be started.
#[cfg(unix)]
pub fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Whether there is a file that can be started: its name says it here.
#[cfg(not(unix))]
pub fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Puts a small file for the user alone in its place, whole or not at all, without waiting for the disk: for hooks, which have no time. What a
/// power cut takes can be done without.
///
/// # Errors
/// [`io::Error`]: the folder is missing, full or cannot be written to.
pub fn place_new_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{}-{name}", std::process::id()));
    create_private_file(&temporary)?.write_all(bytes)?;
    fs::rename(temporary, path)
}

/// Removes a file; says whether there was one.
pub fn remove_if_there(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// How long a file that another program has open is waited for, and how often it is tried.
const TRIES: u32 = 40;
const BETWEEN_TRIES: Duration = Duration::from_millis(25);

/// Does what Windows refuses for as long as another program has the file open, which for settings and notes is a moment: it is tried for a
/// second there. `act` begins anew each time.
///
/// # Errors
/// [`io::Error`] as `act` gave it the last time.
pub fn retry_while_held<T>(mut act: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..TRIES {
        match act() {
            Err(error) if is_held(&error) => std::thread::sleep(BETWEEN_TRIES),
            end => return end,
        }
    }
    act()
}

/// What Windows says of a file that another program has open and does not share.
fn is_held(error: &io::Error) -> bool {
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let shares_nothing = error.raw_os_error() == Some(ERROR_SHARING_VIOLATION);
    cfg!(windows) && (shares_nothing || error.kind() == io::ErrorKind::PermissionDenied)
}

/// Renames a temporary file over another, which another program may hold for a moment ([`retry_while_held`]).
pub fn put_in_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let mut waiting = Some(file);
    retry_while_held(|| {
        let file = waiting.take().expect("it is put back after each failure");
        file.persist(path).map(drop).map_err(|failed| {
            waiting = Some(failed.file);
            failed.error
        })
    })
}

/// The path of what is there, after every link, as people write it: without the `\\?\` that Windows puts in front, also of a path that begins
/// with a server. It stays where the path is too long to be understood without.
///
/// # Errors
/// [`io::Error`]: nothing is there, or it may not be looked at.
pub fn real_path(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    let real = dunce::canonicalize(path)?;
    Ok(on_a_server(&real).unwrap_or(real))
}

/// Whether two paths lead to the same place, perhaps in two spellings: through a link, with `..`, or with capitals where these do not
/// count.
pub fn is_same_place(one: &Path, other: &Path) -> bool {
    one == other || resolved_path(one) == resolved_path(other)
}

/// A path after every link on the way was followed, as far as it is there; of what is not, `..` is one folder up.
pub fn resolved_path(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|folder| Some((folder, real_path(folder).ok()?)));
    let Some((folder, mut place)) = there else { return path.to_owned() };
    for part in path.strip_prefix(folder).unwrap_or(path).components() {
        match part {
            Component::ParentDir => drop(place.pop()),
            Component::Normal(name) => place.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    place
}

/// `\\server\share\folder` of `\\?\UNC\server\share\folder`, where every program understands that.
fn on_a_server(real: &Path) -> Option<PathBuf> {
    let rest = real.to_str()?.strip_prefix(r"\\?\UNC\")?;
    // Names and length are judged as on a disk.
    let on_a_disk = PathBuf::from(format!(r"\\?\C:\{rest}"));
    (dunce::simplified(&on_a_disk) != on_a_disk).then(|| PathBuf::from(format!(r"\\{rest}")))
}

/// Puts `bytes` in place of a file's content, as a whole or not at all: a temporary file beside it, flushed, then renamed
/// over it. A link stays a link and what it points to is replaced; the mode stays, and a new file is for the user alone.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link that leads nowhere is still the place the user chose.
            fs::read_link(path).map_or_else(
                |_| path.to_owned(),
                |link| match path.parent() {
                    Some(folder) => folder.join(link),
                    None => link,
                },
            )
        }
        // Some drives tell of no file where it really is.
        Err(_) if !path.is_symlink() => path.to_owned(),
        Err(error) => return Err(error),
    };
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    if let Ok(there) = fs::metadata(&target) {
        file.as_file().set_permissions(there.permissions())?;
    }
    file.as_file().sync_all()?;
    put_in_place(file, &target)?;
    flush_names(directory)
}

#[cfg(all(test, windows))]
mod tests {
    use std::os::windows::fs::OpenOptionsExt;

    use super::*;

    #[test]
    fn path_on_a_server_is_shown_as_people_write_it() {
        let check = |real: &str, shown: Option<&str>| {
            assert_eq!(on_a_server(Path::new(real)), shown.map(PathBuf::from), "{real}");
        };
        check(r"\\?\UNC\nas\notes\Vault", Some(r"\\nas\notes\Vault"));
        check(r"\\?\UNC\nas\notes\nul", None);
        check(&format!(r"\\?\UNC\nas\notes\{}", r"deep\".repeat(60)), None);
        check(r"C:\Vault", None);
        check(r"\\nas\notes", None);
    }

    #[test]
    fn file_that_is_held_for_a_moment_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        fs::write(&path, "before").unwrap();
        let held = OpenOptions::new().read(true).share_mode(0).open(&path).unwrap();
        let release = std::thread::spawn(move || {
            std::thread::sleep(BETWEEN_TRIES * 4);
            drop(held);
        });
        retry_while_held(|| fs::read(&path)).unwrap();
        replace_file(&path, b"after").unwrap();
        release.join().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
    }
}
