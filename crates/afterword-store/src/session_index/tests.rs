//! What goes in is found, what goes out is gone, and no query is an operator.

use std::fs;

use super::*;

fn words(person: &str, agent: &str) -> RowWords {
    RowWords { person: person.to_owned(), agent: agent.to_owned(), tools: String::new() }
}

fn block(rows: &[RowWords]) -> RowBlock {
    RowBlock { words: rows.to_vec(), texts: format!("{} rows", rows.len()).into_bytes(), vectors: Vec::new() }
}

fn file(path: &str) -> IndexedSession {
    IndexedSession {
        path: path.to_owned(),
        session: format!("of-{path}"),
        size: 10,
        rows: 2,
        ..IndexedSession::default()
    }
}

fn term(text: &str) -> Term {
    Term { text: text.to_owned(), is_prefix: false }
}

fn hits(index: &SessionIndex, terms: &[Term], filter: &RowFilter) -> Vec<(i64, usize)> {
    let hits = index.hits(terms, true, filter, 100).unwrap();
    hits.iter().map(|hit| (hit.block, hit.place)).collect()
}

fn filled(folder: &Path) -> SessionIndex {
    let index = SessionIndex::open(&folder.join("sessions.db")).unwrap();
    assert!(index.begin("first").unwrap());
    let rows = [words("please lock the tables", ""), words("", "I locked the tables for you")];
    index.put(&file("a"), &[block(&rows)]).unwrap();
    index.put(&file("b"), &[block(&[words("unrelated", "")]), block(&[words("", "lock")])]).unwrap();
    index
}

#[test]
fn rows_are_found_by_words_phrases_and_beginnings() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    let any = RowFilter::default();
    assert_eq!(hits(&index, &[term("tables")], &any).len(), 2);
    assert_eq!(hits(&index, &[term("lock the tables")], &any).len(), 2, "forms of a word are one word");
    assert_eq!(hits(&index, &[term("the lock tables")], &any), []);
    assert_eq!(hits(&index, &[term("unrelated"), term("tables")], &any), []);
    let either = index.hits(&[term("unrelated"), term("tables")], false, &any, 100).unwrap();
    assert_eq!(either.len(), 3);
    let prefix = Term { text: "unrel".to_owned(), is_prefix: true };
    assert_eq!(hits(&index, &[prefix], &any).len(), 1);
}

#[test]
fn hit_says_which_row_of_its_block_it_is() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    let place =
        |word| hits(&index, &[term(word)], &RowFilter::default()).iter().map(|hit| hit.1).collect::<Vec<_>>();
    assert_eq!((place("please"), place("you")), (vec![0], vec![1]));
}

#[test]
fn session_is_looked_up_by_its_own_file() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    let subagent = IndexedSession { session: "of-a".to_owned(), agent: "a1".to_owned(), ..file("a1") };
    index.put(&subagent, &[]).unwrap();
    assert_eq!(index.file_of_session("of-a").unwrap(), Some(file("a")));
    assert_eq!(index.file_of_session("of-c").unwrap(), None);
    assert_eq!(index.subagents_of_session("of-a").unwrap(), [subagent]);
    let owners = index.file_owners().unwrap();
    let mut names: Vec<_> =
        owners.values().map(|owner| (owner.session.as_str(), owner.agent.as_str())).collect();
    names.sort_unstable();
    assert_eq!(names, [("of-a", ""), ("of-a", "a1"), ("of-b", "")]);
    assert_eq!(index.count_files().unwrap(), 3);
}

#[test]
fn words_of_a_file_that_went_are_in_no_row() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    // A search passes over rows without a block, so they are counted where they are.
    let rows = |word: &str| -> i64 {
        let count = |connection: &Connection| {
            connection.query_row("SELECT count(*) FROM words WHERE words MATCH ?1", [word], |row| row.get(0))
        };
        index.sql("count rows", count).unwrap()
    };
    index.put(&file("went"), &[block(&[words("first", ""), words("second", "")])]).unwrap();
    assert_eq!((rows("first"), rows("second")), (1, 1));
    assert!(index.remove("went").unwrap());
    assert_eq!((rows("first"), rows("second"), rows("please")), (0, 0, 1));
}

#[test]
fn vectors_come_and_go_with_their_rows() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    let shown = || {
        let mut shown = Vec::new();
        let mut show = |block, place, vector: &[u8]| shown.push((block, place, vector.to_vec()));
        index.vectors(2, &mut show).unwrap();
        shown
    };
    assert_eq!(shown(), []);
    let rows = [words("first", ""), words("", "answer"), words("second", "")];
    let vector = |place, bytes: [u8; 2]| RowVector { place, bytes: bytes.to_vec() };
    let meant = RowBlock { vectors: vec![vector(0, [1, 2]), vector(2, [3, 4])], ..block(&rows) };
    index.put(&file("meant"), &[meant]).unwrap();
    let number = hits(&index, &[term("first")], &RowFilter::default())[0].0;
    assert_eq!(shown(), [(number, 0, vec![1, 2]), (number, 2, vec![3, 4])]);
    let files = index.files().unwrap();
    let of = files.iter().find(|(_, file)| file.path == "meant").unwrap().0;
    assert_eq!((index.file_of(number).unwrap(), index.file_of(number + 100).unwrap()), (Some(of), None));
    assert!(index.remove("meant").unwrap());
    assert_eq!(shown(), []);
}

#[test]
fn filters_hold() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    let only_person = RowFilter { only_person: true, ..RowFilter::default() };
    assert_eq!(hits(&index, &[term("tables")], &only_person).len(), 1);
    assert_eq!(hits(&index, &[term("please"), term("tables")], &only_person).len(), 1);
    let number = index.files().unwrap().iter().find(|(_, file)| file.path == "b").unwrap().0;
    let of_b = RowFilter { files: Some(vec![number]), ..RowFilter::default() };
    assert_eq!(hits(&index, &[term("lock")], &of_b).len(), 1);
    let none = RowFilter { files: Some(Vec::new()), ..RowFilter::default() };
    assert_eq!(hits(&index, &[term("lock")], &none), []);
}

#[test]
fn nothing_typed_is_an_operator() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    for text in ["\"", "a AND", "NEAR(", "person:", "* *", "-", "\0", "(", "'; DROP TABLE file; --"] {
        let hits = index.hits(&[term(text)], true, &RowFilter { only_person: true, files: None }, 10);
        assert!(hits.is_ok(), "{text:?}: {hits:?}");
    }
}

#[test]
fn file_grows_and_goes_with_its_rows() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    let any = RowFilter::default();
    index.append(&IndexedSession { rows: 3, ..file("a") }, &[block(&[words("more of it", "")])]).unwrap();
    assert_eq!(hits(&index, &[term("more")], &any).len(), 1);
    assert_eq!(hits(&index, &[term("please")], &any).len(), 1);
    index.put(&file("a"), &[block(&[words("all anew", "")])]).unwrap();
    assert_eq!(hits(&index, &[term("please")], &any), []);
    let hit = hits(&index, &[term("anew")], &any)[0];
    assert_eq!(index.texts(hit.0).unwrap().unwrap(), b"1 rows");
    assert!(index.remove("a").unwrap());
    assert!(!index.remove("a").unwrap());
    assert_eq!(hits(&index, &[term("anew")], &any), []);
    assert_eq!(index.texts(hit.0).unwrap(), None);
    assert_eq!(index.remove_session("of-b").unwrap(), 1);
    assert_eq!(hits(&index, &[term("lock")], &any), []);
    assert!(index.files().unwrap().is_empty());
}

#[test]
fn other_rules_empty_it_and_a_broken_file_is_made_anew() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(home.path());
    assert!(!index.begin("first").unwrap());
    assert!(index.begin("second").unwrap());
    assert!(index.files().unwrap().is_empty());
    assert_eq!(hits(&index, &[term("tables")], &RowFilter::default()), []);
    let path = index.path().to_owned();
    drop(index);
    fs::write(&path, "no database at all, but long enough to be one of some kind").unwrap();
    assert!(SessionIndex::open_existing(&path).unwrap().is_none());
    assert!(SessionIndex::open(&path).unwrap().files().unwrap().is_empty());
}
