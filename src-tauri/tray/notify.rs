//! The system's notifications: what the agent tells becomes news, and what is due is shown. When that is so is the agent's rule.
//! What the tray's menu was asked for and could not do is said at once.

use std::sync::{Mutex, PoisonError};

use afterword_app::notices::{self, News, Notice, Notices};
use afterword_daemon::{AgentEvent, news};
use jiff::Zoned;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::{Action, ActionType, NotificationExt};

use super::window;
use crate::context::RequestContext;

/// The page that a click opens, among what a notification carries.
const ROUTE: &str = "route";
/// What a notification with a page can do.
const OPENS: &str = "opens";

/// News that waits to be told.
#[derive(Debug, Default)]
pub(crate) struct PendingNotices(Mutex<Notices>);

/// Listens for clicks; without a listener the system is told of no actions.
///
/// # Errors
/// [`tauri::Error`]: the plugin cannot listen.
pub(crate) fn listen(app: &AppHandle) -> Result<(), tauri_plugin_notification::Error> {
    let open = Action::builder("open", "Open").build();
    app.notification().register_action_types(vec![ActionType::builder(OPENS).actions(vec![open]).build()])?;
    let handle = app.clone();
    app.notification().on_action(move |performed| {
        if !matches!(performed.action_id(), "tap" | "open") {
            return;
        }
        let route = performed.notification().and_then(|shown| shown.extra().get(ROUTE)?.as_str());
        window::open(&handle, route.unwrap_or("review"));
    })
}

/// Takes news in and shows what is due.
pub(crate) fn of(app: &AppHandle, event: &AgentEvent) {
    let app = app.clone();
    let event = event.clone();
    tauri::async_runtime::spawn_blocking(move || {
        let Ok(agent) = app.state::<RequestContext>().app() else { return };
        let news: Vec<News> = news::news_of(&agent, &event, Zoned::now().timestamp());
        if news.is_empty() {
            return;
        }
        let rules = agent.config().notices;
        {
            let pending = app.state::<PendingNotices>();
            let mut pending = pending.0.lock().unwrap_or_else(PoisonError::into_inner);
            news.into_iter().for_each(|one| pending.add(one, &Zoned::now(), &rules));
        }
        tauri::async_runtime::spawn(show_due(app));
    });
}

/// Says at once that what was just asked for failed; a click opens the page where it can be mended. Says whether it could be shown.
pub(crate) fn of_failure(app: &AppHandle, title: &str, message: &str, route: &str) -> bool {
    show(app, notices::notice_of_failure(title, message, route)).is_ok()
}

fn show(app: &AppHandle, notice: Notice) -> Result<(), tauri_plugin_notification::Error> {
    let Notice { title, body, route } = notice;
    let notification = app.notification().builder().title(title).body(body);
    notification.action_type_id(OPENS).extra(ROUTE, route).show()
}

/// Shows what is due, now or when it is.
async fn show_due(app: AppHandle) {
    loop {
        let Some(rules) = app.state::<RequestContext>().app().ok().map(|agent| agent.config().notices) else {
            return;
        };
        let now = Zoned::now();
        let wait = {
            let pending = app.state::<PendingNotices>();
            let mut pending = pending.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(notice) = pending.due(&now, &rules) {
                // Where the desktop shows none, the tray still does.
                let _ = show(&app, notice);
            }
            pending.wait(&now, &rules)
        };
        let Some(wait) = wait else { return };
        // A thread that was not given means no wait.
        let _ = tauri::async_runtime::spawn_blocking(move || std::thread::sleep(wait)).await;
    }
}
