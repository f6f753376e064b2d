//! What the two programs load of the graphics driver: the tray nothing, the window what draws its page soonest.
//!
//! Only GTK and WebKitGTK are told; elsewhere the system's webview decides for itself.

use std::ffi::OsString;
use std::process::Command;

/// The environment's word for whether GTK uses the graphics driver.
const GTK: &str = "GDK_GL";
/// The environment's word for whether WebKitGTK draws through the graphics driver.
const WEBKIT: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
/// The environment's word for a window that a WebDriver works (wry); without the driver WebKitGTK takes no pictures for it.
const WORKED_BY_A_DRIVER: &str = "TAURI_WEBVIEW_AUTOMATION";

/// What the window's program is told of graphics.
#[derive(Debug)]
pub(crate) struct Graphics {
    /// What the person said of GTK's, before this program gave them up.
    gtk: Option<OsString>,
    /// There is no graphics device, and the person did not say what to do of it.
    draws_in_software: bool,
}

impl Graphics {
    /// Looks at this program's environment, and whether the machine has a graphics device.
    pub(crate) fn of_process() -> Self {
        let is_said = [WEBKIT, WORKED_BY_A_DRIVER].iter().any(|name| std::env::var_os(name).is_some());
        let draws_in_software = cfg!(target_os = "linux") && !is_said && !has_device();
        Self { gtk: std::env::var_os(GTK), draws_in_software }
    }

    /// Sets it in the environment of the window's program.
    pub(crate) fn set_environment(&self, window: &mut Command) {
        match &self.gtk {
            Some(words) => window.env(GTK, words),
            None => window.env_remove(GTK),
        };
        // Without a device WebKitGTK loads a driver that computes what one would do: the first picture comes later, and each
        // further one too.
        if self.draws_in_software {
            window.env(WEBKIT, "1");
        }
    }
}

/// Nothing is drawn in the tray's program. Without this GTK loads the graphics driver to choose among its visuals: some 30 MiB
/// where it draws in software.
#[cfg(target_os = "linux")]
pub(crate) fn leave() {
    // Where it cannot be set the program is larger, and nothing else.
    let _ = glib::setenv(GTK, "disable", false);
}

/// A device that draws has a node of this name (Linux, Documentation/gpu/drm-uapi.rst, "Render nodes").
fn has_device() -> bool {
    let is_drawing = |name: OsString| name.to_string_lossy().starts_with("renderD");
    std::fs::read_dir("/dev/dri")
        .is_ok_and(|found| found.flatten().any(|entry| is_drawing(entry.file_name())))
}
