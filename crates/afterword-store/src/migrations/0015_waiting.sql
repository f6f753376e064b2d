-- A lesson waits since its note was first written, however often evidence was added to it since. It is not a matter of the session's
-- date: sessions of last year are read today.
ALTER TABLE written_notes ADD COLUMN first_written_at INTEGER;
UPDATE written_notes SET first_written_at = written_at;
