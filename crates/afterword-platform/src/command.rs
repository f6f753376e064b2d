//! Starting other programs in the background. Start at [`background_command`].

use std::ffi::OsStr;
use std::process::Command;

/// `CREATE_NO_WINDOW` of Windows' process creation flags.
#[cfg(windows)]
pub const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// A command for a program that shows nothing. Windows opens a console window for each that is started by a program without a console, as the
/// desktop app is one.
pub fn background_command(program: impl AsRef<OsStr>) -> Command {
    #[cfg_attr(not(windows), expect(unused_mut, reason = "only Windows opens windows"))]
    let mut command = Command::new(program);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, CREATE_NO_WINDOW);
    command
}
