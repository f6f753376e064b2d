//! Notifications of an agent that runs without the desktop app: on Linux over the session bus, where there is one.
//!
//! What is news, and when it may be shown, is decided elsewhere; here it is only handed to the desktop. Where nothing can show it,
//! the agent works on without a word.

use std::time::Duration;

use afterword_app::App;
use afterword_app::notices::{Notice, Notices};
use afterword_daemon::{AgentEvent, news};
use jiff::{Timestamp, Zoned};

/// News that waits to be shown.
pub(crate) struct Notifier {
    app: App,
    pending: Notices,
}

impl Notifier {
    /// Whoever shows notifications here; nobody where there is no session bus.
    pub(crate) fn of(app: &App) -> Option<Self> {
        has_session_bus().then(|| Self { app: app.clone(), pending: Notices::default() })
    }

    /// Takes in what of an event a person is told, by the settings as they are now.
    pub(crate) fn take_in(&mut self, event: &AgentEvent) {
        let news = news::news_of(&self.app, event, Timestamp::now());
        if news.is_empty() {
            return;
        }
        // Settings that cannot be read any more are told by the agent; the ones before hold.
        if let Ok(app) = self.app.with_settings_read_again() {
            self.app = app;
        }
        let (now, rules) = (Zoned::now(), self.app.config().notices);
        news.into_iter().for_each(|one| self.pending.add(one, &now, &rules));
    }

    /// Shows what is due, and says after how long something may be again; nothing where nothing waits.
    pub(crate) fn show_due(&mut self) -> Option<Duration> {
        let (now, rules) = (Zoned::now(), self.app.config().notices);
        if let Some(notice) = self.pending.due(&now, &rules) {
            show(notice);
        }
        self.pending.wait(&now, &rules)
    }
}

#[cfg(target_os = "linux")]
fn has_session_bus() -> bool {
    let named = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| !address.is_empty());
    let usual = std::env::var_os("XDG_RUNTIME_DIR").map(|folder| std::path::Path::new(&folder).join("bus"));
    named || usual.is_some_and(|socket| socket.exists())
}

#[cfg(target_os = "linux")]
fn show(notice: Notice) {
    use afterword_app::log::OrLog;
    let shown = std::thread::Builder::new().spawn(move || {
        let mut notification = notify_rust::Notification::new();
        notification.appname("Afterword").summary(&notice.title).body(&notice.body);
        notification.show().map(drop).or_log("showing a notification");
    });
    // In a thread, because a daemon that hangs must not hang the agent.
    shown.map(drop).or_log("beginning to show a notification");
}

#[cfg(not(target_os = "linux"))]
fn has_session_bus() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn show(_: Notice) {}
