//! The review queue: what waits for a person's answer, the answers, and taking them back.
//!
//! A lesson that waits is a note in `_review/` or `_inbox/`; the answer moves it to its folder or to the archive. Whatever
//! was decided is in the note first and in the database after, so that a crash leaves nothing half known: what the
//! database has not heard of is taken up from the notes ([`take_up`]), as are answers given in an editor.
//!
//! Start reading at [`queue`] for what is offered, at [`decide`] for what an answer does.

pub mod answers;
mod archive;
pub mod decide;
mod evidence;
pub mod inbox;
pub mod item;
mod likely;
pub mod queue;
pub mod rejections;
pub mod take_up;
mod transcript;
pub mod undo;

pub use afterword_store::Verdict;
pub use answers::{RecordedAnswer, list_answers};
pub use archive::{archive_lesson, archive_lessons};
pub use decide::{
    Answer, Decision, EditedWords, answer_all, answer_without_follow_up, approve, edit, follow_up, keep_both,
    reject, skip, supersede,
};
pub(crate) use evidence::evidence_of;
pub(crate) use inbox::waiting_since;
pub use inbox::{archive_unanswered, queue_inbox_expiry};
pub use item::{EvidenceItem, ExcerptEntry, ReviewItem, Similar};
pub(crate) use queue::waits_in;
pub use queue::{QueueFilter, review_counts, review_item, review_list, review_queue};
pub use rejections::{Rejection, rejections};
pub use take_up::{TakeUpReport, take_up_reviews};
pub use undo::{UndoReport, last_answer, undo_decision, undo_without_follow_up};
