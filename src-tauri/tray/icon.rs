//! The tray: an icon for each state, how many lessons and tasks wait, and the menu.

use std::panic::{AssertUnwindSafe, catch_unwind};

use afterword_app::overview::{Overview, TrayState};
use tauri::image::Image;
use tauri::menu::{CheckMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::TrayIconBuilder;
use tauri::{AppHandle, Manager, Wry, include_image};

use super::{background, window};

const TRAY: &str = "main";

/// White pictures with a dark rim, to be seen on a dark panel and on a light one; macOS takes the black ones as templates and
/// colours them.
macro_rules! picture {
    ($black:literal, $rimmed:literal) => {{
        const BLACK: Image<'static> = include_image!($black);
        const RIMMED: Image<'static> = include_image!($rimmed);
        if cfg!(target_os = "macos") { BLACK } else { RIMMED }
    }};
}

fn icon_image(face: TrayState) -> Image<'static> {
    match face {
        TrayState::Watching => picture!("icons/tray/watching-light.png", "icons/tray/watching-any.png"),
        TrayState::Reflecting => picture!("icons/tray/reflecting-light.png", "icons/tray/reflecting-any.png"),
        TrayState::Review => picture!("icons/tray/review-light.png", "icons/tray/review-any.png"),
        TrayState::Paused => picture!("icons/tray/paused-light.png", "icons/tray/paused-any.png"),
        TrayState::Error => picture!("icons/tray/error-light.png", "icons/tray/error-any.png"),
    }
}

/// The menu's items that change.
struct Items {
    state: MenuItem<Wry>,
    review: MenuItem<Wry>,
    tasks: MenuItem<Wry>,
    pause: CheckMenuItem<Wry>,
}

/// Puts the icon into the tray. Says whether there is one now: a Linux without the library for it has none.
#[expect(clippy::print_stderr, reason = "there is no window to show the problem in")]
pub(crate) fn show(app: &AppHandle) -> bool {
    // The library is looked for when the icon is made, and the crate that does it panics where it is missing.
    match catch_unwind(AssertUnwindSafe(|| build(app))) {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::error!("no tray icon: {error}");
            eprintln!("afterword-desktop: no tray icon: {error}");
            false
        }
        Err(_) => {
            tracing::error!("no tray icon: libayatana-appindicator3 is missing");
            eprintln!("afterword-desktop: no tray icon: install libayatana-appindicator3");
            false
        }
    }
}

fn build(app: &AppHandle) -> tauri::Result<()> {
    let item = |id, text| MenuItem::with_id(app, id, text, true, None::<&str>);
    let items = Items {
        state: MenuItem::with_id(app, "state", "Starting", false, None::<&str>)?,
        review: item("review", "Open Review")?,
        tasks: item("tasks", "Open Tasks")?,
        pause: CheckMenuItem::with_id(app, "pause", "Pause", true, false, None::<&str>)?,
    };
    let line = || PredefinedMenuItem::separator(app);
    let menu = Menu::with_items(
        app,
        &[
            &items.state,
            &line()?,
            &items.review,
            &items.tasks,
            &item("reflect", "Reflect Now")?,
            &items.pause,
            &line()?,
            &item("vault", "Open Vault")?,
            &item("settings", "Settings…")?,
            &line()?,
            &item("quit", "Quit Afterword")?,
        ],
    )?;
    TrayIconBuilder::with_id(TRAY)
        .icon(icon_image(TrayState::Watching))
        .icon_as_template(true)
        .tooltip("Afterword")
        .menu(&menu)
        .on_menu_event(|app, event| match event.id().as_ref() {
            page @ ("review" | "tasks") => window::open(app, page),
            "reflect" => background::reflect_now(app),
            "pause" => background::toggle_pause(app),
            "vault" => background::open_vault(app),
            "settings" => window::open(app, "settings"),
            "quit" => app.exit(0),
            _ => {}
        })
        .build(app)?;
    app.manage(items);
    Ok(())
}

/// Shows how things stand: the icon, the words, and how many lessons and tasks wait.
pub(crate) fn set(app: &AppHandle, overview: &Overview) {
    let waiting = (overview.waiting, overview.tasks.count());
    show_state(app, overview.face, &overview.words, waiting, overview.paused);
}

/// Shows that nothing can be done as things stand.
pub(crate) fn set_broken(app: &AppHandle, words: &str) {
    show_state(app, TrayState::Error, words, (0, 0), false);
}

fn show_state(app: &AppHandle, face: TrayState, words: &str, (lessons, tasks): (usize, usize), paused: bool) {
    let (Some(tray), Some(items)) = (app.tray_by_id(TRAY), app.try_state::<Items>()) else { return };
    let count = (lessons + tasks > 0).then(|| (lessons + tasks).to_string());
    let numbered = |words: &str, count: usize| match count {
        0 => words.to_owned(),
        count => format!("{words} ({count})"),
    };
    // A tray that went away with its panel comes back with the next change.
    let _ = tray.set_icon_with_as_template(Some(icon_image(face)), true);
    let _ = tray.set_title(count);
    let _ = tray.set_tooltip(Some(format!("Afterword: {words}")));
    let _ = items.state.set_text(words);
    let _ = items.review.set_text(numbered("Open Review", lessons));
    let _ = items.tasks.set_text(numbered("Open Tasks", tasks));
    let _ = items.pause.set_checked(paused);
}

/// macOS colours its pictures itself.
#[cfg(not(target_os = "macos"))]
#[cfg(test)]
mod tests {
    use super::*;

    const FACES: [TrayState; 5] =
        [TrayState::Watching, TrayState::Reflecting, TrayState::Review, TrayState::Paused, TrayState::Error];

    #[test]
    fn every_icon_has_what_stands_out_on_a_light_panel_and_on_a_dark_one() {
        for face in FACES {
            let image = icon_image(face);
            let solid = image.rgba().as_chunks::<4>().0.iter().filter(|pixel| pixel[3] > 200);
            let brightness =
                |pixel: &[u8; 4]| pixel[..3].iter().map(|part| u32::from(*part)).sum::<u32>() / 3;
            let (dark, bright): (Vec<u32>, Vec<u32>) = solid.map(brightness).partition(|light| *light < 110);
            let bright = bright.iter().filter(|light| **light > 160).count();
            assert!(dark.len() >= 20 && bright >= 20, "{face:?}: {} dark, {bright} bright", dark.len());
        }
    }
}
