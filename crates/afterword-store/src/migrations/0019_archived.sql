-- Another verdict: archived without an answer. What a column may hold cannot be changed, so the table is made anew, rows and numbers
-- kept. The notes of decisions stand aside meanwhile: they go with the table that they refer to.
CREATE TABLE decided_notes_aside AS SELECT * FROM decided_notes;
DROP TABLE decided_notes;
CREATE TABLE decisions_with_more_verdicts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT NOT NULL,
    candidate_key TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('approve', 'edit', 'reject', 'skip', 'supersede', 'archive')),
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
INSERT INTO decisions_with_more_verdicts SELECT id, user_id, candidate_key, verdict, kind, title, reason, project, session_id, note_id, superseded_id, words, decided_at, undone_at FROM decisions;
-- A number that was used is never used again, also where its decision was forgotten.
DELETE FROM sqlite_sequence WHERE name = 'decisions_with_more_verdicts';
INSERT INTO sqlite_sequence (name, seq) SELECT 'decisions_with_more_verdicts', seq FROM sqlite_sequence WHERE name = 'decisions';
DROP TABLE decisions;
ALTER TABLE decisions_with_more_verdicts RENAME TO decisions;
CREATE INDEX decisions_by_candidate ON decisions (candidate_key);
CREATE INDEX decisions_by_verdict ON decisions (verdict, project) WHERE undone_at IS NULL;
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
INSERT INTO decided_notes SELECT decision, position, vault, path_before, content_before, path_after, hash_after FROM decided_notes_aside;
DROP TABLE decided_notes_aside;
