//! How much space is left where notes and state are written.

use std::path::{Path, PathBuf};

use crate::health::{Check, Verdict};
use crate::{Config, Paths};

/// Free space below which notes and state are in danger, in bytes.
const DANGER: u64 = 32 << 20;
/// Free space below which it is time to tell, in bytes.
const LITTLE: u64 = 512 << 20;

/// The space left in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeSpace {
    /// The place.
    pub place: PathBuf,
    /// Bytes that this user may still write there.
    pub free: u64,
}

/// What is to be done about too little space.
pub(crate) const ADVICE: &str = "free some space: notes and state are written whole or not at all";

impl FreeSpace {
    /// Where the least is left, of the state directory and the vault; `None` where the system does not tell.
    pub(crate) fn least_free(paths: &Paths, config: &Config) -> Option<Self> {
        let places = [Some(&paths.state), config.vault.as_ref()].into_iter().flatten();
        places.filter_map(|place| Self::of(place)).min_by_key(|space| space.free)
    }

    fn of(place: &Path) -> Option<Self> {
        let there = place.ancestors().find(|folder| folder.exists())?;
        Some(Self { place: place.to_owned(), free: fs4::available_space(there).ok()? })
    }

    /// Notes and state are in danger.
    pub(crate) fn is_danger(&self) -> bool {
        self.free < DANGER
    }

    pub(crate) fn describe(&self) -> String {
        format!("{} MB free for {}", self.free >> 20, self.place.display())
    }
}

/// What `doctor` says of it.
pub(crate) fn check(paths: &Paths, config: &Config) -> Check {
    const NAME: &str = "disk";
    match FreeSpace::least_free(paths, config) {
        None => Check::warn(NAME, "the free space could not be learned", "look yourself"),
        Some(space) if space.free < LITTLE => {
            let verdict = if space.is_danger() { Verdict::Fail } else { Verdict::Warn };
            Check { verdict, ..Check::warn(NAME, space.describe(), ADVICE) }
        }
        Some(space) => Check::ok(NAME, format!("{} GB free", space.free >> 30)),
    }
}
