-- Conversations: chat and background work in one. `job_id` is the job queued for the run that is due: while it is set no
-- further one is queued, and one that ended without settling the run shows by it. `state` is the truth, whatever became of
-- the Claude session. `directory` is where the session's runs take place: Claude Code finds a session only from there.
CREATE TABLE conversations (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL DEFAULT 'local',
    title TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'background', 'waiting_input', 'archived')),
    schedule TEXT CHECK (json_valid(schedule)),
    next_run_at INTEGER,
    job_id TEXT,
    state TEXT NOT NULL CHECK (json_valid(state)),
    claude_session_id TEXT,
    directory TEXT NOT NULL,
    allowed_tools TEXT NOT NULL CHECK (json_valid(allowed_tools)),
    connections TEXT NOT NULL CHECK (json_valid(connections)),
    most_usd REAL NOT NULL,
    most_seconds INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    last_success_at INTEGER,
    finished_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    CHECK (next_run_at IS NULL OR status = 'background'),
    CHECK (schedule IS NOT NULL OR status IN ('active', 'archived'))
) STRICT;
CREATE INDEX conversations_due ON conversations (next_run_at, seq) WHERE next_run_at IS NOT NULL;

-- Who said what. `told` of a person's message: the Claude session has read it.
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    source TEXT NOT NULL CHECK (source IN ('chat', 'worker')),
    content TEXT NOT NULL,
    told INTEGER NOT NULL CHECK (told IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);

-- Every run of a conversation's Claude session: one that has no end was cut off, and `process` tells whether its client is
-- still there.
CREATE TABLE conversation_runs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    job_id TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('chat', 'worker')),
    due_at INTEGER,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT NOT NULL CHECK (outcome IN
        ('running', 'replied', 'continued', 'asked', 'completed', 'failed', 'cancelled', 'cut-off')),
    claude_session_id TEXT,
    process TEXT,
    cost_usd REAL NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    turns INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    CHECK ((outcome = 'running') = (ended_at IS NULL))
) STRICT;
CREATE INDEX conversation_runs_by_conversation ON conversation_runs (conversation_id, seq);
CREATE INDEX conversation_runs_by_start ON conversation_runs (started_at);
-- Held by the database itself: chat and worker never write to a Claude session at the same time.
CREATE UNIQUE INDEX conversation_runs_one_at_once ON conversation_runs (conversation_id) WHERE outcome = 'running';

-- Tool servers a conversation may name. `settings` holds no secret; those are in the system's keyring.
CREATE TABLE connections (
    user_id TEXT NOT NULL DEFAULT 'local',
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('stdio', 'http')),
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    needs_sign_in INTEGER NOT NULL DEFAULT 0 CHECK (needs_sign_in IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;
