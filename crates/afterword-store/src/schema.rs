//! The schema's migrations: append-only, each with the rule that needs it.

use rusqlite_migration::{M, Migrations};

const MIGRATIONS: &[M<'static>] = &[
    // Transcripts are read again only when they changed; a lesson is written once; weak patterns count over a
    // project's sessions; format changes and silent failures are noticed.
    M::up(include_str!("migrations/0001_first.sql")),
    // Work is queued, done once by one worker, and remembered; a person's no is remembered; usage is counted.
    M::up(include_str!("migrations/0002_jobs.sql")),
    // A restart goes on where the agent was, and whoever asks sees where each session stands and how it came there.
    M::up(include_str!("migrations/0003_following.sql")),
    // A decision can be undone exactly; what became of a candidate can be explained.
    M::up(include_str!("migrations/0004_review.sql")),
    // Background work is a conversation: it outlives every run, asks, and is told what happened.
    M::up(include_str!("migrations/0005_conversations.sql")),
    // What a person wants forgotten is gone, and does not come back by itself.
    M::up(include_str!("migrations/0006_forgotten.sql")),
    // What a session was given can be explained, what came of it is counted, and attempts are learnt from.
    M::up(include_str!("migrations/0007_recall.sql")),
    // That a session ended is known after a restart too, although its transcript came later.
    M::up(include_str!("migrations/0008_early_ends.sql")),
    // Money is bounded, and shown by engine, model and project.
    M::up(include_str!("migrations/0009_engine_calls.sql")),
    M::up(include_str!("migrations/0010_attempt_reasons.sql")),
    // An idea is thought through in a job of its own.
    M::up(include_str!("migrations/0011_idea_research.sql")),
    // The keyring is asked only for servers that somebody signed in to.
    M::up(include_str!("migrations/0012_signed_in.sql")),
    // A project is a repository, however often it was cloned.
    M::up(include_str!("migrations/0013_project_copies.sql")),
    // Money reserved is told apart from money spent, and comes back from calls that were cut off.
    M::up(include_str!("migrations/0014_under_way.sql")),
    // What nobody answers leaves the inbox, counted from when it began to wait.
    M::up(include_str!("migrations/0015_waiting.sql")),
    // What lessons cost a session can be said exactly.
    M::up(include_str!("migrations/0016_given_bytes.sql")),
    // A folder that is gone still belongs to its repository.
    M::up(include_str!("migrations/0017_session_files.sql")),
    // What an agent words in the person's name is never taken for the person's own words.
    M::up(include_str!("migrations/0018_relayed.sql")),
    // What nobody will answer is archived at once, and comes back with one undo.
    M::up(include_str!("migrations/0019_archived.sql")),
    // Another program that looks at the database finds it whole.
    M::up(include_str!("migrations/0020_null_is_no_damage.sql")),
];

pub(crate) fn migrations() -> Migrations<'static> {
    Migrations::from_slice(MIGRATIONS)
}

/// The number of the newest schema.
pub(crate) fn latest_version() -> usize {
    MIGRATIONS.len()
}

#[cfg(test)]
mod tests {
    use crate::Store;

    #[test]
    fn schema() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let mut statement = store
            .connection
            .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name")
            .unwrap();
        let sql: Vec<String> =
            statement.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        insta::assert_snapshot!(sql.join(";\n"));
    }

    #[test]
    fn decisions_made_before_archiving_keep_their_numbers_and_their_notes() {
        let home = tempfile::tempdir().unwrap();
        let mut connection = rusqlite::Connection::open(home.path().join("afterword.db")).unwrap();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        super::migrations().to_version(&mut connection, 18).unwrap();
        let add =
            "INSERT INTO decisions (user_id, candidate_key, verdict, kind, title, reason, words, decided_at)
            VALUES ('local', 'k', 'skip', 'fix', 'Title', '', '', 1) RETURNING id";
        let added = || connection.query_row(add, (), |row| row.get::<_, i64>(0)).unwrap();
        let (first, last) = (added(), added());
        let note = "INSERT INTO decided_notes VALUES (?1, 0, '/vault', 'a.md', 'text', 'b.md', 'hash')";
        connection.execute(note, [first]).unwrap();
        connection.execute("DELETE FROM decisions WHERE id = ?1", [last]).unwrap();

        super::migrations().to_version(&mut connection, 19).unwrap();

        let kept = "SELECT d.id, n.path_before FROM decisions d JOIN decided_notes n ON n.decision = d.id";
        let kept: (i64, String) =
            connection.query_row(kept, (), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(kept, (first, "a.md".to_owned()));
        let archive = add.replace("'skip'", "'archive'");
        let next: i64 = connection.query_row(&archive, (), |row| row.get(0)).unwrap();
        assert_eq!(next, last + 1, "a number is never used again");
        connection.execute("DELETE FROM decisions WHERE id = ?1", [first]).unwrap();
        let notes: i64 =
            connection.query_row("SELECT count(*) FROM decided_notes", (), |row| row.get(0)).unwrap();
        assert_eq!(notes, 0, "a decision's notes go with it");
    }

    #[test]
    fn rows_of_tables_made_anew_are_kept_with_what_refers_to_them() {
        let home = tempfile::tempdir().unwrap();
        let mut connection = rusqlite::Connection::open(home.path().join("afterword.db")).unwrap();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        super::migrations().to_version(&mut connection, 19).unwrap();
        connection
            .execute_batch(
                "INSERT INTO jobs (seq, id, type, forced, status, payload, progress, not_before, lease_worker, lease_until, queued_at)
                    VALUES (7, 'j', 'reflection', 0, 'running', '{}', 0.5, 1, 'w', 2, 1);
                 INSERT INTO conversations (seq, id, title, status, state, directory, allowed_tools, connections, most_usd, most_seconds,
                    failures, created_at, updated_at) VALUES (5, 'c', 'Title', 'active', '{}', '/', '[]', '[]', 1, 60, 0, 1, 2);
                 INSERT INTO messages (seq, id, conversation_id, role, source, content, told, created_at, relayed)
                    VALUES (3, 'm', 'c', 'user', 'chat', 'words', 1, 9, 1);
                 INSERT INTO conversation_runs (seq, id, conversation_id, job_id, source, started_at, outcome, reason)
                    VALUES (4, 'r', 'c', 'j', 'chat', 8, 'running', 'why');",
            )
            .unwrap();
        super::migrations().to_latest(&mut connection).unwrap();
        let kept = "SELECT j.seq || j.lease_worker || j.progress || c.seq || c.title || c.updated_at || m.seq || m.content || m.created_at
            || m.relayed || r.seq || r.started_at || r.reason
            FROM conversations c JOIN messages m ON m.conversation_id = c.id JOIN conversation_runs r ON r.conversation_id = c.id
            JOIN jobs j ON j.id = r.job_id";
        let kept: String = connection.query_row(kept, (), |row| row.get(0)).unwrap();
        assert_eq!(kept, "7w0.55Title23words9148why");
        connection.execute("DELETE FROM conversations", ()).unwrap();
        let left = "SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM conversation_runs)";
        assert_eq!(connection.query_row(left, (), |row| row.get::<_, i64>(0)).unwrap(), 0);
    }

    /// What SQLite before 3.42 makes of NULL is false in a check.
    #[test]
    fn no_check_asks_whether_null_is_json() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let sql = "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND c.\"notnull\" = 0
                AND t.sql LIKE '%' || c.name || ' TEXT CHECK (json_valid(' || c.name || '))%'";
        let mut statement = store.connection.prepare(sql).unwrap();
        let found: Vec<String> =
            statement.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn every_table_is_strict() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let loose: i64 = store
            .connection
            .query_row(
                "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                    AND name NOT LIKE 'sqlite_%' AND strict = 0",
                (),
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(loose, 0);
    }
}
