-- The queue. `seq` is the order in which jobs were queued: ids of one millisecond have none. `lease_number` counts the
-- claims and tells a worker's hold from an earlier one; `attempts` counts those that ended badly or have not ended.
CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL DEFAULT 'local',
    type TEXT NOT NULL CHECK (type IN ('reflection', 'heartbeat', 'maintenance', 'conversation-run')),
    subject TEXT,
    forced INTEGER NOT NULL CHECK (forced IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    result TEXT CHECK (json_valid(result)),
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
CREATE INDEX jobs_by_status ON jobs (status, seq);
CREATE INDEX jobs_by_due ON jobs (status, not_before);
CREATE INDEX jobs_by_subject ON jobs (type, subject);
CREATE INDEX jobs_by_end ON jobs (type, status, completed_at);
CREATE INDEX jobs_forced ON jobs (user_id, type, queued_at) WHERE forced = 1;
-- Held by the database itself, whatever a claim's query says: one reflection a user, one job a subject.
CREATE UNIQUE INDEX jobs_one_reflection_a_user ON jobs (user_id) WHERE status = 'running' AND type = 'reflection';
CREATE UNIQUE INDEX jobs_one_a_subject ON jobs (user_id, type, subject) WHERE status = 'running' AND subject IS NOT NULL;

-- What a job did, kept out of the session it was about: its transcript, its to-do list, and the note it leaves for the
-- next one. Not tied to `jobs` by a key, as the note outlives the job.
CREATE TABLE job_logs (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    user_id TEXT NOT NULL,
    type TEXT NOT NULL,
    session_id TEXT,
    project TEXT,
    outcome TEXT NOT NULL CHECK (outcome IN ('ran', 'continued', 'failed')),
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    transcript TEXT NOT NULL,
    todo TEXT NOT NULL CHECK (json_valid(todo)),
    handoff_note TEXT,
    UNIQUE (job_id, attempt)
) STRICT;
CREATE INDEX job_logs_by_session ON job_logs (session_id, type, ended_at);
CREATE INDEX job_logs_by_project ON job_logs (project, type, ended_at);

-- What a person decided about a candidate. A rejection is remembered by the words it is about, with its scope; undoing
-- one keeps the row, so that the list stays true.
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT NOT NULL,
    candidate_key TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('approve', 'edit', 'reject', 'skip', 'supersede')),
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    reason TEXT NOT NULL,
    project TEXT,
    session_id TEXT,
    note_id TEXT,
    superseded_id TEXT,
    words TEXT NOT NULL,
    decided_at INTEGER NOT NULL,
    undone_at INTEGER
) STRICT;
CREATE INDEX decisions_by_candidate ON decisions (candidate_key);
CREATE INDEX decisions_by_verdict ON decisions (verdict, project) WHERE undone_at IS NULL;

-- Counters, one a day and project; an empty project counts for none.
CREATE TABLE metrics (
    name TEXT NOT NULL,
    day TEXT NOT NULL,
    project TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (name, day, project)
) STRICT, WITHOUT ROWID;
