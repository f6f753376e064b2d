-- Further folders of a project: clones, and worktrees that are not known by their places.
CREATE TABLE project_copies (
    project TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
