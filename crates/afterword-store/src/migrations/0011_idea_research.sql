-- Another type of job. What a column may hold cannot be changed, so the table is made anew, rows and order kept.
CREATE TABLE jobs_with_more_types (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL DEFAULT 'local',
    type TEXT NOT NULL CHECK (type IN ('reflection', 'heartbeat', 'maintenance', 'conversation-run', 'idea-research')),
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
INSERT INTO jobs_with_more_types SELECT seq, id, user_id, type, subject, forced, status, payload, result, progress, attempts, not_before, lease_worker, lease_until, lease_number, cancel_requested, reason, queued_at, started_at, completed_at FROM jobs;
DROP TABLE jobs;
ALTER TABLE jobs_with_more_types RENAME TO jobs;
CREATE INDEX jobs_by_status ON jobs (status, seq);
CREATE INDEX jobs_by_due ON jobs (status, not_before);
CREATE INDEX jobs_by_subject ON jobs (type, subject);
CREATE INDEX jobs_by_end ON jobs (type, status, completed_at);
CREATE INDEX jobs_forced ON jobs (user_id, type, queued_at) WHERE forced = 1;
-- Held by the database itself, whatever a claim's query says: one reflection a user, one job a subject.
CREATE UNIQUE INDEX jobs_one_reflection_a_user ON jobs (user_id) WHERE status = 'running' AND type = 'reflection';
CREATE UNIQUE INDEX jobs_one_a_subject ON jobs (user_id, type, subject) WHERE status = 'running' AND subject IS NOT NULL;
