-- Ends that clients told of sessions whose transcripts are still to be written: the client writes in the background, and
-- the agent may be started again in between.
CREATE TABLE early_ends (
    session_id TEXT PRIMARY KEY NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
