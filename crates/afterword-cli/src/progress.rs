//! A progress bar on stderr, when that is a terminal.

use std::time::Duration;

use afterword_agent::{Progress, Step};
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
