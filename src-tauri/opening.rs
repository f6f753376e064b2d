//! Opens files, folders and addresses with the programs that belong to them, and says when nothing does.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use tauri::async_runtime::spawn_blocking;

use crate::failure::Failure;

/// A launcher that goes on for so long has found a program, and may be that program itself.
const LONGEST: Duration = Duration::from_secs(3);

/// Opens a file or a folder.
pub(crate) async fn open_path(path: &Path) -> Result<(), Failure> {
    let name = path.display().to_string();
    if !path.exists() {
        return Err(Failure::of_system(format!("{name} is not there any more")));
    }
    let failed = |error| {
        Failure::of_system(format!("{name} could not be opened, as if no program were set for it: {error}"))
    };
    open(path.as_os_str().to_owned()).await.map_err(failed)
}

/// Opens a web page, or what another program's address stands for.
pub(crate) async fn open_address(address: String) -> Result<(), Failure> {
    let failed = |error| Failure::of_system(format!("no program took the address {address}: {error}"));
    open(address.clone().into()).await.map_err(failed)
}

async fn open(target: OsString) -> Result<(), String> {
    let opened = spawn_blocking(move || open::that_detached_with_timeout(target, LONGEST)).await;
    opened.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
}
