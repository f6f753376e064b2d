-- Files that a session worked on and that tell its repository, below its directory, a line each: a folder that is gone is known by them.
ALTER TABLE sessions ADD COLUMN files TEXT NOT NULL DEFAULT '';
