//! Giving a file a name: one that is free, or another file's, of which nothing is lost that was saved meanwhile.

use std::io::{self, Read, Seek};
use std::path::Path;

use cap_std::fs::{Dir, File};

use super::WriteOutcome;
use crate::hash::ContentHash;

/// Gives a file a name that is free, perhaps in another folder; `AlreadyExists` if it is not free.
pub(super) fn rename_to_free_name((from, old): (&Dir, &Path), (to, new): (&Dir, &Path)) -> io::Result<()> {
    match rename::without_replacing((from, old), (to, new)) {
        Err(error) if rename::is_unsupported(&error) => {}
        end => return end,
    }
    // Refused on Windows while another program holds the file: else it would have two names, of which the old one could not be removed.
    from.rename(old, from, old)?;
    match from.hard_link(old, to, new) {
        Ok(()) => return from.remove_file(old),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        // FAT and some network file systems have no hard links.
        Err(_) => {}
    }
    if to.symlink_metadata(new).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    from.rename(old, to, new)
}

/// Puts the temporary file in the place of `name`, if that still hashes to `expected`.
///
/// Where the system can exchange two names at once, what was displaced is looked at afterwards and put back if a
/// person saved in between; elsewhere a few microseconds between look and rename remain.
pub(super) fn replace_file(
    folder: &Dir,
    temporary: &Path,
    name: &Path,
    expected: &ContentHash,
) -> io::Result<WriteOutcome> {
    match rename::exchanging(folder, temporary, name) {
        Ok(()) => {
            if hash_of(folder.open(temporary)?)? == *expected {
                return Ok(WriteOutcome::Written);
            }
            rename::exchanging(folder, temporary, name)?;
            Ok(WriteOutcome::Changed)
        }
        Err(error) if rename::is_unsupported(&error) => {
            if hash_of(folder.open(name)?)? != *expected {
                return Ok(WriteOutcome::Changed);
            }
            folder.rename(temporary, folder, name)?;
            Ok(WriteOutcome::Written)
        }
        Err(error) => Err(error),
    }
}

pub(super) fn hash_of(mut file: File) -> io::Result<ContentHash> {
    Ok(ContentHash::of(&read_from_start(&mut file)?))
}

/// The whole of a file, from its start.
pub(super) fn read_from_start(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(io::SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod rename {
    use std::io;
    use std::path::Path;

    use cap_std::fs::Dir;
    use rustix::fs::{RenameFlags, renameat_with};
    use rustix::io::Errno;

    pub(super) fn without_replacing(from: (&Dir, &Path), to: (&Dir, &Path)) -> io::Result<()> {
        Ok(renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE)?)
    }

    pub(super) fn exchanging(folder: &Dir, from: &Path, to: &Path) -> io::Result<()> {
        Ok(renameat_with(folder, from, folder, to, RenameFlags::EXCHANGE)?)
    }

    /// Old kernels and some file systems (NFS, FUSE) lack these flags.
    pub(super) fn is_unsupported(error: &io::Error) -> bool {
        let errno = Errno::from_io_error(error);
        matches!(errno, Some(errno) if errno == Errno::INVAL || errno == Errno::NOSYS || errno == Errno::NOTSUP)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod rename {
    use std::io;
    use std::path::Path;

    use cap_std::fs::Dir;

    pub(super) fn without_replacing(_from: (&Dir, &Path), _to: (&Dir, &Path)) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn exchanging(_folder: &Dir, _from: &Path, _to: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_unsupported(error: &io::Error) -> bool {
        error.kind() == io::ErrorKind::Unsupported
    }
}
