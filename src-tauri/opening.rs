//! Opens files, folders and addresses with the programs that belong to them, and says when nothing does.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use tauri::async_runtime::spawn_blocking;

use crate::desktop_error::DesktopError;
use crate::failure::Failure;

/// A launcher that goes on for so long has found a program, and may be that program itself.
const LONGEST: Duration = Duration::from_secs(3);
/// Bytes of a web page's address at most; browsers take no longer ones from other programs.
const LONGEST_ADDRESS: usize = 8 * 1024;

/// Opens a file or a folder.
pub(crate) async fn open_path(path: &Path) -> Result<(), Failure> {
    if !path.exists() {
        return Err(DesktopError::gone(path).into());
    }
    let failed = |detail| DesktopError::NotOpened { path: path.to_owned(), detail };
    Ok(open(path.as_os_str().to_owned()).await.map_err(failed)?)
}

/// Opens a web page in the browser; nothing but a web page.
pub(crate) async fn open_web_page(address: &str) -> Result<(), Failure> {
    let page = web_page(address);
    open_address(page.ok_or(DesktopError::NoWebPage)?).await
}

/// The address of a web page as browsers write it; `None` for every other, which might start any program. Programs that open
/// addresses pass them on through shells of their own, so nothing is left in it that could end a word there.
fn web_page(address: &str) -> Option<String> {
    let is_plain =
        |c: char| !c.is_control() && !c.is_whitespace() && !matches!(c, '"' | '\\' | '<' | '>' | '`');
    let start = address.split("://").next()?;
    let is_web = ["https", "http"].iter().any(|scheme| start.eq_ignore_ascii_case(scheme));
    if !is_web || address.len() > LONGEST_ADDRESS || !address.chars().all(is_plain) {
        return None;
    }
    let page = tauri::Url::parse(address).ok()?;
    page.has_host().then(|| page.into())
}

/// Opens what another program's address stands for.
pub(crate) async fn open_address(address: String) -> Result<(), Failure> {
    let failed = |detail| DesktopError::NoProgram { address: address.clone(), detail };
    Ok(open(address.clone().into()).await.map_err(failed)?)
}

async fn open(target: OsString) -> Result<(), String> {
    let opened = spawn_blocking(move || open::that_detached_with_timeout(target, LONGEST)).await;
    opened.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_pages_are_opened() {
        let check = |address: &str, expected: Option<&str>| {
            assert_eq!(web_page(address).as_deref(), expected, "{address:?}");
        };
        check("https://example.org/a?b=c#d", Some("https://example.org/a?b=c#d"));
        check("HTTP://Example.org", Some("http://example.org/"));
        check("https://example.org/%22", Some("https://example.org/%22"));
        check("https://例え.jp/", Some("https://xn--r8jz45g.jp/"));
        for other in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "obsidian://open?path=/etc/passwd",
            "ssh://-oProxyCommand=x",
            "/etc/passwd",
            "-a",
            "",
            "https:",
            "https://",
            "https:example.org",
            " https://example.org",
            "https://example.org/\n-x",
            "https://example.org/\0",
            "https://example.org/\" & calc & \"",
            "https://example.org\\@evil.example",
        ] {
            check(other, None);
        }
        check(&format!("https://example.org/{}", "a".repeat(10_000)), None);
    }
}
