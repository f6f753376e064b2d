//! The two sides of WSL: whether this process runs in it, and what this side calls a folder that the other one named.

use std::borrow::Cow;

/// Where a Linux in WSL has Windows' drives, unless its `wsl.conf` says otherwise (`automount.root`, which is not read).
#[cfg(any(windows, target_os = "linux"))]
const DRIVES: &str = "/mnt/";

/// Whether this is a Linux in WSL: Microsoft's kernel says whose it is, in WSL 1 as in WSL 2.
#[cfg(target_os = "linux")]
pub fn is_wsl() -> bool {
    static ANSWER: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *ANSWER.get_or_init(|| {
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease");
        kernel.is_ok_and(|kernel| is_of_microsoft(&kernel))
    })
}

#[cfg(target_os = "linux")]
fn is_of_microsoft(kernel: &str) -> bool {
    kernel.to_ascii_lowercase().contains("microsoft")
}

/// A path as this side of WSL calls it: `C:\shop` is `/mnt/c/shop` in a Linux there, and the other way round on Windows. Every other path
/// stays as it is, and so does every path on a machine without WSL.
pub fn local_path(path: &str) -> Cow<'_, str> {
    #[cfg(target_os = "linux")]
    let local = linux_path(path).filter(|_| is_wsl());
    #[cfg(windows)]
    let local = windows_path(path);
    #[cfg(not(any(target_os = "linux", windows)))]
    let local = None;
    local.map_or(Cow::Borrowed(path), Cow::Owned)
}

/// What a Linux calls a folder of a drive.
#[cfg(target_os = "linux")]
fn linux_path(path: &str) -> Option<String> {
    let (drive, rest) = path.split_at_checked(1)?;
    let rest = rest.strip_prefix(':').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))?;
    let is_drive = drive.starts_with(|letter: char| letter.is_ascii_alphabetic());
    is_drive.then(|| format!("{DRIVES}{}{}", drive.to_ascii_lowercase(), rest.replace('\\', "/")))
}

/// What Windows calls a folder that a Linux has from it.
#[cfg(any(windows, all(test, target_os = "linux")))]
fn windows_path(path: &str) -> Option<String> {
    let (drive, rest) = path.strip_prefix(DRIVES)?.split_at_checked(1)?;
    let is_drive = drive.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_whole = rest.is_empty() || rest.starts_with('/');
    (is_drive && is_whole).then(|| format!("{}:{}", drive.to_ascii_uppercase(), rest.replace('/', "\\")))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn kernel_says_whether_this_is_wsl() {
        for (kernel, expected) in [
            ("5.15.167.4-microsoft-standard-WSL2\n", true),
            ("4.4.0-19041-Microsoft\n", true),
            ("6.1.0-28-amd64\n", false),
        ] {
            assert_eq!(is_of_microsoft(kernel), expected, "{kernel}");
        }
    }

    #[test]
    fn folder_of_a_drive_has_a_name_on_either_side() {
        for (windows, linux) in [
            (r"C:\Users\ada\shop", "/mnt/c/Users/ada/shop"),
            (r"D:\", "/mnt/d/"),
            ("D:", "/mnt/d"),
            (r"E:\Übung\a b", "/mnt/e/Übung/a b"),
        ] {
            assert_eq!(linux_path(windows).as_deref(), Some(linux));
            assert_eq!(windows_path(linux).as_deref(), Some(windows));
        }
        assert_eq!(linux_path("c:/Users/ada").as_deref(), Some("/mnt/c/Users/ada"));
    }

    #[test]
    fn what_is_no_folder_of_a_drive_stays() {
        for path in ["/home/ada/shop", "C:shop", "ü:/x", "", ":", r"\\wsl.localhost\Ubuntu\home\ada", "shop"]
        {
            assert_eq!(linux_path(path), None, "{path}");
        }
        for path in ["/home/ada/shop", "/mnt", "/mnt/", "/mnt/data/shop", "/mnt/ü", r"C:\shop", ""] {
            assert_eq!(windows_path(path), None, "{path}");
        }
    }
}
