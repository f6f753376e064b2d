-- Every call of an engine that is not the built-in one, written down before it is made with the most it can cost: what was
-- spent today is known whatever crashed, and two jobs cannot pass a budget together.
CREATE TABLE engine_calls (
    id INTEGER PRIMARY KEY,
    asked_at INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    job_id TEXT,
    engine TEXT NOT NULL,
    model TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    usd REAL NOT NULL,
    problem TEXT
) STRICT;
CREATE INDEX engine_calls_asked ON engine_calls (asked_at);
