//! The window's size, from one time to the next.

use std::path::PathBuf;

use afterword_app::replace_file;
use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Manager};

use super::LABEL;
use crate::context::RequestContext;

/// In logical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) maximized: bool,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 1120.0, height: 760.0, maximized: false }
    }
}

impl Size {
    /// As it was written, where a window can be that large.
    fn parse(text: &str) -> Option<Self> {
        let size: Self = serde_json::from_str(text).ok()?;
        let fits = |length: f64| (200.0..=20_000.0).contains(&length);
        (fits(size.width) && fits(size.height)).then_some(size)
    }
}

/// The size that the window was closed with last.
pub(super) fn last(app: &AppHandle) -> Size {
    let text = file(app).and_then(|file| std::fs::read_to_string(file).ok());
    text.and_then(|text| Size::parse(&text)).unwrap_or_default()
}

/// Keeps the window's size for the next time. A window that fills the screen keeps the size it had before that.
pub(super) fn save(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    let (Ok(inner), Ok(scale)) = (window.inner_size(), window.scale_factor()) else { return };
    let size = match window.is_maximized() {
        Ok(true) => Size { maximized: true, ..last(app) },
        _ => {
            let inner = inner.to_logical::<f64>(scale);
            Size { width: inner.width, height: inner.height, maximized: false }
        }
    };
    if let (Some(file), Ok(text)) = (file(app), serde_json::to_string(&size)) {
        // Where it cannot be written the next window has its usual size.
        let _ = replace_file(&file, text.as_bytes());
    }
}

fn file(app: &AppHandle) -> Option<PathBuf> {
    let app = app.state::<RequestContext>().app().ok()?;
    let state = &app.paths().state;
    state.is_dir().then(|| state.join("window.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_size_of_a_window_is_passed_over() {
        let size = Size { width: 900.0, height: 600.0, maximized: true };
        assert_eq!(Size::parse(&serde_json::to_string(&size).unwrap()), Some(size));
        for wrong in [
            "",
            "{}",
            r#"{"width":0,"height":600,"maximized":false}"#,
            r#"{"width":1e9,"height":9,"maximized":false}"#,
        ] {
            assert_eq!(Size::parse(wrong), None, "{wrong}");
        }
    }
}
