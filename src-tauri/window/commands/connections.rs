//! The tool servers that tasks may use.

use std::time::Duration;

use afterword_app::connections::{ConnectionSettings, ConnectionView, SignInOptions};
use afterword_app::conversations::SignInReport;
use afterword_app::{connections, conversations};
use jiff::{Timestamp, Zoned};
use tauri::AppHandle;

use super::{Answer, ask, change};
use crate::opening;

/// How long a person may take to sign in.
const SIGN_IN_LIMIT: Duration = Duration::from_secs(10 * 60);

/// Lists the connections that tasks may use.
#[tauri::command]
pub(crate) async fn connections(app: AppHandle) -> Answer<Vec<ConnectionView>> {
    ask(&app, |app| connections::connections(&app)?.list()).await
}

/// Signs in to a remote server: opens its page in the browser, and waits for the person there.
#[tauri::command]
pub(crate) async fn connect(app: AppHandle, name: String) -> Answer<SignInReport> {
    let waiting =
        ask(&app, move |app| connections::connections(&app)?.begin_sign_in(&name, SignInOptions::default()))
            .await?;
    opening::open_address(waiting.address().to_owned()).await?;
    // A window that is closed meanwhile does not wait: whoever wants to sign in then begins anew.
    let finish = move |app: afterword_app::App| {
        conversations::finish_sign_in(&app, waiting, SIGN_IN_LIMIT, &|| false, &Zoned::now())
    };
    let done = ask(&app, finish).await?;
    change(&app, move |_| Ok(done)).await
}

/// Signs out of a remote server.
#[tauri::command]
pub(crate) async fn disconnect(app: AppHandle, name: String) -> Answer<()> {
    change(&app, move |app| connections::connections(&app)?.sign_out(&name, &Zoned::now()).map(drop)).await
}

/// Keeps a connection under a name, in the place of one that has it.
#[tauri::command]
pub(crate) async fn add_connection(app: AppHandle, name: String, settings: ConnectionSettings) -> Answer<()> {
    change(&app, move |app| connections::connections(&app)?.add(&name, &settings, Timestamp::now())).await
}

/// Removes a connection, and signs out of it.
#[tauri::command]
pub(crate) async fn remove_connection(app: AppHandle, name: String) -> Answer<()> {
    change(&app, move |app| connections::connections(&app)?.remove(&name, Timestamp::now())).await
}
