//! A machine of its own with the app on it, for the tests in this room. It is no part of the test kit: that is built with this crate as
//! others use it, and its `App` is not the one the tests in here are compiled with.

use afterword_testkit::Sandbox;
use jiff::{Span, Zoned};

use crate::App;

/// An app without a vault, at a time that stands still.
pub(crate) struct TestApp {
    pub(crate) sandbox: Sandbox,
    pub(crate) app: App,
    pub(crate) now: Zoned,
}

impl TestApp {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::empty();
        let app = App::new(sandbox.environment()).unwrap();
        Self { sandbox, app, now: afterword_testkit::now() }
    }

    /// Lets a second pass.
    pub(crate) fn tick(&mut self) {
        self.now = self.now.checked_add(Span::new().seconds(1)).unwrap();
    }
}
