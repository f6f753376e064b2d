//! What the desktop around the program offers: a display, and a place for the tray's icon.

/// Looks for the display, which GTK else gives up without in a panic.
///
/// # Errors
/// [`std::io::Error`]: there is none that can be opened.
pub(crate) fn open() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        let display =
            ["WAYLAND_DISPLAY", "DISPLAY"].iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
        let what = match display {
            Some((name, value)) if !value.is_empty() => {
                format!("the display {name}={value} cannot be opened")
            }
            _ => "there is no display here".to_owned(),
        };
        return Err(std::io::Error::other(format!("{what}; `afterword run` does the same work without one")));
    }
    Ok(())
}

/// Whether the desktop shows icons of the tray at this moment: on Linux a panel does, or an extension of it, and tells so on the
/// session bus (freedesktop.org, "StatusNotifierWatcher").
#[cfg(target_os = "linux")]
pub(crate) fn shows_tray() -> bool {
    use gtk::gio::{BusType, Cancellable, DBusCallFlags, bus_get_sync};
    use gtk::glib::{ToVariant, Variant};

    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    const PATIENCE_MS: i32 = 2000;
    let Ok(bus) = bus_get_sync(BusType::Session, Cancellable::NONE) else { return false };
    let answer = bus.call_sync(
        Some(WATCHER),
        "/StatusNotifierWatcher",
        "org.freedesktop.DBus.Properties",
        "Get",
        Some(&(WATCHER, "IsStatusNotifierHostRegistered").to_variant()),
        None,
        DBusCallFlags::NO_AUTO_START,
        PATIENCE_MS,
        Cancellable::NONE,
    );
    let value = answer.ok().and_then(|answer| answer.try_child_get::<Variant>(0).ok().flatten());
    value.and_then(|value| value.get::<bool>()).unwrap_or(false)
}

/// Elsewhere the system itself does.
#[cfg(not(target_os = "linux"))]
pub(crate) fn shows_tray() -> bool {
    true
}
