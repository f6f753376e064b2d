//! The ideas that sessions put off for later, as the ledger and the incubator have them.

mod background;
mod research;

use std::collections::HashMap;

use afterword_core::ConversationId;
pub use afterword_vault::ideas::IdeaMark;
use afterword_vault::research::is_researched;
use afterword_vault::{NoteKind, RevisionOutcome, html, ideas};
use serde::Serialize;

use crate::error::{NoteError, ReviewError};
use crate::lessons::{LessonLine, line};
use crate::note;
use crate::vault_session::VaultSession;
use crate::{App, Error};
pub use background::research_in_background;
pub use background::write_research;
pub(crate) use research::order_research;
pub use research::research_for;
pub use research::{ResearchedIdea, research_idea};

/// An idea.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Idea {
    /// What is known of its page.
    #[serde(flatten)]
    pub line: LessonLine,
    /// The user ticked its line in the ledger, or dismissed it.
    pub done: bool,
    /// Its page has what a model said of it.
    pub researched: bool,
    /// The conversation in which it is being researched.
    pub research: Option<ConversationId>,
    /// How its line in the ledger is marked; `None` where it has none.
    pub mark: Option<IdeaMark>,
    /// Its text as markdown.
    pub body: String,
    /// Its text as safe HTML.
    pub html: String,
}

/// Lists the ideas, open ones first, the latest first.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`].
pub fn ideas(app: &App) -> Result<Vec<Idea>, Error> {
    let index = app.open_vault()?.scan()?;
    let marks: HashMap<String, IdeaMark> =
        index.ideas().map(|ledger| ideas::idea_marks(&ledger.note)).unwrap_or_default().into_iter().collect();
    let under_way = background::ideas_under_way(app)?;
    let mut list: Vec<Idea> = index
        .notes()
        .filter(|entry| entry.properties.kind == Some(NoteKind::Idea))
        .map(|entry| {
            let key = entry.properties.key.as_ref().map(ideas::block_id);
            let words = entry.note.lesson_text();
            let line = line(entry);
            let mark = key.and_then(|key| marks.get(&key).copied());
            Idea {
                researched: is_researched(entry),
                research: under_way.get(&line.id).copied(),
                line,
                done: mark.is_some_and(|mark| mark != IdeaMark::Open),
                mark,
                body: words.to_owned(),
                html: html::render_html(words),
            }
        })
        .collect();
    list.sort_by(|one, other| {
        (one.done, other.line.created, &one.line.path).cmp(&(other.done, one.line.created, &other.line.path))
    });
    Ok(list)
}

/// Marks an idea in the ledger: done, dismissed, or open again. Nothing else of the person's line changes.
///
/// # Errors
/// [`NoteError::NoSuch`] where there is no such idea, or no line of it with a box; [`ReviewError::Changing`] where somebody
/// writes the ledger at this moment, and [`Error::Vault`].
pub fn mark_idea(app: &App, argument: &str, mark: IdeaMark) -> Result<(), Error> {
    let session = VaultSession::begin(app)?;
    let index = &session.index;
    let missing = || NoteError::NoSuch { argument: argument.to_owned() };
    let entry = note::find(index, argument)?;
    let block = entry.properties.key.as_ref().map(ideas::block_id).ok_or_else(missing)?;
    let ledger = index.ideas().ok_or_else(missing)?;
    let revision = ideas::mark_idea(ledger, &block, mark).ok_or_else(missing)?;
    match session.revise_list(&revision)? {
        RevisionOutcome::Done { .. } => Ok(()),
        RevisionOutcome::ChangedMeanwhile => {
            Err(ReviewError::Changing { path: ledger.path.to_string() }.into())
        }
    }
}
