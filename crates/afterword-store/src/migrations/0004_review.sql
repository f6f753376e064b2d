-- The notes a decision changed, as they were before: what undoing it restores.
CREATE TABLE decided_notes (
    decision INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    vault TEXT NOT NULL,
    path_before TEXT NOT NULL,
    content_before TEXT NOT NULL,
    path_after TEXT NOT NULL,
    hash_after TEXT NOT NULL,
    PRIMARY KEY (decision, position)
) STRICT, WITHOUT ROWID;

-- What a candidate turned out to be beside what was known: said again, against it, or rejected before. One row a
-- session and candidate; a session that is read again replaces its row.
CREATE TABLE comparisons (
    session_id TEXT NOT NULL,
    candidate_key TEXT NOT NULL,
    project TEXT,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('same', 'contradicts', 'rejected')),
    note_id TEXT,
    note_path TEXT NOT NULL,
    note_title TEXT NOT NULL,
    closeness REAL NOT NULL,
    reason TEXT NOT NULL,
    compared_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, candidate_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX comparisons_by_note ON comparisons (note_id);
CREATE INDEX comparisons_by_candidate ON comparisons (candidate_key);
