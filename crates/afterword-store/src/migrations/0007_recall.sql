-- What sessions were given when they began or asked, and every time they were given nothing, with the reason.
CREATE TABLE injections (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    moment TEXT NOT NULL,
    at INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    silence TEXT NOT NULL
) STRICT;
CREATE INDEX injections_by_session ON injections (session_id, at);
CREATE TABLE injected (
    injection INTEGER NOT NULL REFERENCES injections (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    note_id TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    shown INTEGER NOT NULL CHECK (shown IN (0, 1)),
    reason TEXT NOT NULL,
    PRIMARY KEY (injection, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX injected_by_note ON injected (note_id, shown);

-- What came of lessons that were shown: told by a person or an agent, or seen in the session's own signals. Nothing is
-- counted merely because nothing went wrong.
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    note_id TEXT NOT NULL,
    session_id TEXT,
    verdict TEXT NOT NULL CHECK (verdict IN ('applied', 'helped', 'ignored', 'contradicted')),
    source TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX feedback_by_note ON feedback (note_id, verdict);
CREATE INDEX feedback_by_session ON feedback (session_id);

-- Attempts at a task: what worked, what did not, and what to try next. Lists are JSON.
CREATE TABLE attempts (
    id TEXT PRIMARY KEY NOT NULL,
    session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    task TEXT NOT NULL,
    attempt_number INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('success', 'partial', 'failure')),
    what_worked TEXT NOT NULL CHECK (json_valid(what_worked)),
    what_did_not_work TEXT NOT NULL CHECK (json_valid(what_did_not_work)),
    next_strategy TEXT NOT NULL,
    tags TEXT NOT NULL CHECK (json_valid(tags)),
    related TEXT NOT NULL CHECK (json_valid(related)),
    source TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_session ON attempts (session_id, created_at);
CREATE INDEX attempts_by_project ON attempts (project, outcome, created_at);
