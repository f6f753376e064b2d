-- What lessons cost a session is told in bytes, which are counted, not in tokens, which are estimated. Null where nobody counted.
ALTER TABLE injections ADD COLUMN bytes INTEGER;
