-- SQLite before 3.42 calls `json_valid(NULL)` false: another program with such a one took every job without a result and every
-- conversation without a schedule for damage (`PRAGMA integrity_check`). What a column may hold cannot be changed, so the tables are
-- made anew, rows and numbers kept. What refers to conversations stands aside meanwhile: it goes with the table that it refers to.
CREATE TABLE jobs_with_a_clear_check (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL DEFAULT 'local',
    type TEXT NOT NULL CHECK (type IN ('reflection', 'heartbeat', 'maintenance', 'conversation-run', 'idea-research')),
    subject TEXT,
    forced INTEGER NOT NULL CHECK (forced IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    result TEXT CHECK (result IS NULL OR json_valid(result)),
    progress REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL,
    lease_worker TEXT,
    lease_until INTEGER,
    lease_number INTEGER NOT NULL DEFAULT 0,
    cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
    reason TEXT,
    queued_at INTEGER NOT NULL,
    started_at INTEGER,
    completed_at INTEGER,
    CHECK ((status = 'running') = (lease_worker IS NOT NULL)),
    CHECK ((status = 'running') = (lease_until IS NOT NULL)),
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (completed_at IS NOT NULL))
) STRICT;
INSERT INTO jobs_with_a_clear_check SELECT seq, id, user_id, type, subject, forced, status, payload, result, progress, attempts, not_before, lease_worker, lease_until, lease_number, cancel_requested, reason, queued_at, started_at, completed_at FROM jobs;
DROP TABLE jobs;
ALTER TABLE jobs_with_a_clear_check RENAME TO jobs;
CREATE INDEX jobs_by_status ON jobs (status, seq);
CREATE INDEX jobs_by_due ON jobs (status, not_before);
CREATE INDEX jobs_by_subject ON jobs (type, subject);
CREATE INDEX jobs_by_end ON jobs (type, status, completed_at);
CREATE INDEX jobs_forced ON jobs (user_id, type, queued_at) WHERE forced = 1;
-- Held by the database itself, whatever a claim's query says: one reflection a user, one job a subject.
CREATE UNIQUE INDEX jobs_one_reflection_a_user ON jobs (user_id) WHERE status = 'running' AND type = 'reflection';
CREATE UNIQUE INDEX jobs_one_a_subject ON jobs (user_id, type, subject) WHERE status = 'running' AND subject IS NOT NULL;
CREATE TABLE messages_aside AS SELECT * FROM messages;
DROP TABLE messages;
CREATE TABLE conversation_runs_aside AS SELECT * FROM conversation_runs;
DROP TABLE conversation_runs;
CREATE TABLE conversations_with_a_clear_check (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL DEFAULT 'local',
    title TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'background', 'waiting_input', 'archived')),
    schedule TEXT CHECK (schedule IS NULL OR json_valid(schedule)),
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
INSERT INTO conversations_with_a_clear_check SELECT seq, id, user_id, title, status, schedule, next_run_at, job_id, state, claude_session_id, directory, allowed_tools, connections, most_usd, most_seconds, failures, last_success_at, finished_at, created_at, updated_at FROM conversations;
DROP TABLE conversations;
ALTER TABLE conversations_with_a_clear_check RENAME TO conversations;
CREATE INDEX conversations_due ON conversations (next_run_at, seq) WHERE next_run_at IS NOT NULL;
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    source TEXT NOT NULL CHECK (source IN ('chat', 'worker')),
    content TEXT NOT NULL,
    told INTEGER NOT NULL CHECK (told IN (0, 1)),
    created_at INTEGER NOT NULL,
    relayed INTEGER NOT NULL DEFAULT 0 CHECK (relayed IN (0, 1))
) STRICT;
INSERT INTO messages SELECT seq, id, conversation_id, role, source, content, told, created_at, relayed FROM messages_aside;
DROP TABLE messages_aside;
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
INSERT INTO conversation_runs SELECT seq, id, conversation_id, job_id, source, due_at, started_at, ended_at, outcome, claude_session_id, process, cost_usd, input_tokens, output_tokens, turns, reason FROM conversation_runs_aside;
DROP TABLE conversation_runs_aside;
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
CREATE INDEX conversation_runs_by_conversation ON conversation_runs (conversation_id, seq);
CREATE INDEX conversation_runs_by_start ON conversation_runs (started_at);
-- Held by the database itself: chat and worker never write to a Claude session at the same time.
CREATE UNIQUE INDEX conversation_runs_one_at_once ON conversation_runs (conversation_id) WHERE outcome = 'running';
