//! Ids of conversations, their messages and their runs.

use crate::ids::uuid_v7;

uuid_v7! {
    /// A conversation's id.
    ConversationId
}
uuid_v7! {
    /// The id of a message in a conversation.
    MessageId
}
uuid_v7! {
    /// The id of one run of a conversation's Claude session.
    ConversationRunId
}
