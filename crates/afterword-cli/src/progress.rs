//! A progress bar on stderr, when that is a terminal.

use std::time::Duration;

use afterword_app::pause::Pause;
use afterword_app::{Progress, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how many bytes of transcripts are read.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar that shows nothing where stderr is no terminal.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Self { bar }
    }

    /// Takes the bar off the screen.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Planned { sessions, bytes } if *sessions > 1 => {
                let template = "{bar:30} {binary_bytes}/{binary_total_bytes} {msg}";
                if let Ok(style) = ProgressStyle::with_template(template) {
                    self.bar.set_style(style);
                }
                self.bar.set_length(*bytes);
                self.bar.enable_steady_tick(Duration::from_millis(100));
            }
            Step::Planned { .. } => self.bar.set_draw_target(ProgressDrawTarget::hidden()),
            Step::Reading { .. } => self.bar.set_message("reading"),
            Step::Mined { bytes, .. } | Step::Failed { bytes, .. } => self.bar.inc(*bytes),
            Step::Writing { .. } => self.bar.set_message("writing notes"),
        }
    }
}

/// Shows how many bytes of transcripts are indexed or copied, where there are enough to wait for.
pub(crate) struct IndexBar(Bar);

/// Fewer bytes take no time.
const WORTH_A_BAR: u64 = 20_000_000;

impl IndexBar {
    /// A bar that shows nothing where stderr is no terminal.
    pub(crate) fn new() -> Self {
        Self(Bar::new())
    }

    /// Takes the bar off the screen.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }
}

impl Pause for IndexBar {
    fn rest(&mut self) -> bool {
        true
    }

    fn planned(&mut self, files: usize, bytes: u64) {
        let is_long = bytes > WORTH_A_BAR;
        self.0.step(&Step::Planned { sessions: if is_long { files.max(2) } else { 1 }, bytes });
        self.0.bar.set_message("indexing sessions, once");
    }

    fn read(&mut self, _path: &std::path::Path, bytes: u64) {
        self.0.bar.inc(bytes);
    }
}
