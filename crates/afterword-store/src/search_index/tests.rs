//! The index on disk: what goes in comes out, what goes out is gone, and a broken file is no obstacle.

use std::fs;
use std::sync::Barrier;
use std::thread;

use super::*;

fn make() -> IndexModel {
    IndexModel { model: "test".to_owned(), dimensions: 4, vocabulary: 10 }
}

fn note(path: &str, title: &str, tokens: &[u16], vector: [i8; 4]) -> IndexedNote {
    IndexedNote {
        path: path.to_owned(),
        hash: "h".to_owned(),
        title: title.to_owned(),
        status: "active".to_owned(),
        kind: "fix".to_owned(),
        project: "ada/engine".to_owned(),
        tokens: tokens.to_vec(),
        vector: Some(vector.to_vec()),
        ..IndexedNote::default()
    }
}

fn filled(path: &Path) -> SearchIndex {
    let index = SearchIndex::open(path).unwrap();
    index.writer().clear(&make()).unwrap();
    let notes = [
        note("a.md", "locking tables", &[1, 2, 2], [1, 0, 0, 0]),
        note("b.md", "tables", &[2], [0, -5, 0, 0]),
    ];
    index.writer().update(&notes, &[]).unwrap();
    index
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn stored_vectors(index: &SearchIndex) -> Vec<(Slot, Vec<u8>)> {
    let mut shown = Vec::new();
    index
        .vectors(|slot, vector| {
            if vector.iter().any(|byte| *byte != 0) {
                shown.push((slot, vector.to_vec()));
            }
        })
        .unwrap();
    shown
}

#[test]
fn what_goes_in_comes_out_and_what_goes_out_is_gone() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("cache/index.db");
    let index = filled(&path);
    assert_eq!(index.index_model().unwrap(), Some(make()));
    assert_eq!(index.count().unwrap(), 2);
    assert_eq!(index.token_counts().unwrap()[..4], [0, 1, 2, 0], "a token counts once a note");
    assert_eq!(index.occurrences("table").unwrap(), 2, "in any of its forms");
    let hits = index.text_hits(&words(&["locks"]), &[], 10).unwrap();
    assert_eq!(index.note(hits[0].slot).unwrap().unwrap().title, "locking tables");
    assert_eq!(stored_vectors(&index), [(1, vec![1, 0, 0, 0]), (2, vec![0, 251, 0, 0])]);

    index.writer().update(&[note("b.md", "chairs", &[3], [0, 0, 7, 0])], &["a.md".to_owned()]).unwrap();
    let index = SearchIndex::open_existing(&path).unwrap().expect("it was made");
    assert_eq!(index.count().unwrap(), 1);
    assert_eq!(index.token_counts().unwrap()[..4], [0, 0, 0, 1]);
    assert_eq!(index.occurrences("table").unwrap(), 0);
    assert_eq!(stored_vectors(&index).len(), 1);
    assert_eq!(index.hashes().unwrap().len(), 1);
}

#[test]
fn note_with_more_of_the_words_comes_first() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(&home.path().join("index.db"));
    let titles = |most| -> Vec<String> {
        let hits = index.text_hits(&words(&["locking", "tables"]), &[], most).unwrap();
        hits.iter().map(|hit| index.note(hit.slot).unwrap().unwrap().title).collect()
    };
    assert_eq!(titles(10), ["locking tables", "tables"]);
    assert_eq!(titles(1), ["locking tables"]);
}

#[test]
fn projects_are_known_by_their_directories_until_others_take_their_place() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(&home.path().join("index.db"));
    let named = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(path, name)| ((*path).to_owned(), (*name).to_owned())).collect()
    };
    index
        .writer()
        .set_projects(&named(&[("/home/ada/shop", "Shop"), ("/home/ada/engine", "Engine")]))
        .unwrap();
    assert_eq!(
        index.projects().unwrap(),
        named(&[("/home/ada/engine", "Engine"), ("/home/ada/shop", "Shop")])
    );
    index.writer().set_projects(&named(&[("/home/ada/shop", "Store")])).unwrap();
    assert_eq!(index.projects().unwrap(), named(&[("/home/ada/shop", "Store")]));
    assert_eq!(index.project_name("/home/ada/engine").unwrap(), None);
}

#[test]
fn filters_keep_notes_out() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(&home.path().join("index.db"));
    let check = |filter: NoteFilter, expected: usize| {
        let excluded = index.excluded_slots(&filter).unwrap();
        let hits = index.text_hits(&words(&["tables"]), &excluded, 10).unwrap();
        assert_eq!(hits.len(), expected, "{filter:?}");
    };
    check(NoteFilter::default(), 2);
    check(NoteFilter { project: Some("Engine".to_owned()), ..NoteFilter::default() }, 2);
    check(NoteFilter { project: Some("gine".to_owned()), ..NoteFilter::default() }, 0);
    check(NoteFilter { kinds: vec!["workflow".to_owned()], ..NoteFilter::default() }, 0);
    check(NoteFilter { statuses: vec!["active".to_owned()], ..NoteFilter::default() }, 2);
    check(NoteFilter { projects: vec!["ada/engine".to_owned()], ..NoteFilter::default() }, 2);
    check(NoteFilter { projects: vec!["engine".to_owned()], ..NoteFilter::default() }, 0);
    check(NoteFilter { outcomes: vec!["failure".to_owned()], ..NoteFilter::default() }, 0);
    let attempt = IndexedNote {
        outcome: "failure".to_owned(),
        session: "one".to_owned(),
        tags: vec!["SQL".to_owned(), "locks".to_owned()],
        ..note("c", "tables again", &[2], [0; 4])
    };
    index.writer().update(&[attempt], &[]).unwrap();
    check(NoteFilter { outcomes: vec!["failure".to_owned()], ..NoteFilter::default() }, 1);
    check(NoteFilter { session: Some("one".to_owned()), ..NoteFilter::default() }, 1);
    check(NoteFilter { session: Some(String::new()), ..NoteFilter::default() }, 0);
    check(NoteFilter { tags: vec!["sql".to_owned(), "none".to_owned()], ..NoteFilter::default() }, 1);
    check(NoteFilter { tags: vec!["none".to_owned()], ..NoteFilter::default() }, 0);
    index.writer().update(&[], &["c".to_owned()]).unwrap();
    check(NoteFilter { tags: vec!["sql".to_owned()], ..NoteFilter::default() }, 0);
    check(NoteFilter { outcomes: vec!["failure".to_owned()], ..NoteFilter::default() }, 0);
    check(NoteFilter { statuses: vec!["active".to_owned()], ..NoteFilter::default() }, 2);
}

#[test]
fn notes_are_counted_by_project() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(&home.path().join("index.db"));
    let of_shop = |path: &str, status: &str| IndexedNote {
        project: "shop".to_owned(),
        status: status.to_owned(),
        ..note(path, "tables again", &[2], [0; 4])
    };
    let of_none = IndexedNote { project: String::new(), ..note("d", "tables", &[2], [0; 4]) };
    index.writer().update(&[of_shop("b1", "active"), of_shop("b2", "archived"), of_none], &[]).unwrap();
    let counted =
        |filter: &NoteFilter| index.counts_by_project(filter).unwrap().into_iter().collect::<Vec<_>>();
    let active = NoteFilter { statuses: vec!["active".to_owned()], ..NoteFilter::default() };
    assert_eq!(counted(&active), [("ada/engine".to_owned(), 2), ("shop".to_owned(), 1)]);
    let archived = NoteFilter { statuses: vec!["archived".to_owned()], ..NoteFilter::default() };
    assert_eq!(counted(&archived), [("shop".to_owned(), 1)]);
    assert_eq!(counted(&NoteFilter { kinds: vec!["nothing".to_owned()], ..NoteFilter::default() }), []);
}

#[test]
fn words_are_never_operators() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(&home.path().join("index.db"));
    for word in ["\"", "NEAR(", "title:", "*", "a OR b", "'; DROP TABLE note; --", "\0", "", "-", "^x"] {
        index.text_hits(&words(&[word]), &[], 10).unwrap();
        index.occurrences(word).unwrap();
    }
    assert_eq!(index.count().unwrap(), 2);
}

#[test]
fn vector_of_the_wrong_size_is_left_out() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(&home.path().join("index.db"));
    let wrong = IndexedNote { vector: Some(vec![1; 99]), ..note("c.md", "chairs", &[60_000], [0; 4]) };
    index.writer().update(&[wrong], &[]).unwrap();
    assert_eq!(stored_vectors(&index).len(), 2);
    assert_eq!(index.occurrences("chairs").unwrap(), 1);
}

#[test]
fn file_that_cannot_be_used_is_made_anew() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("index.db");
    fs::write(&path, "no database at all, but long enough to have a header\n".repeat(50)).unwrap();
    assert!(SearchIndex::open_existing(&path).unwrap().is_none());
    assert_eq!(SearchIndex::open(&path).unwrap().count().unwrap(), 0);
    let index = filled(&path);
    index.connection.pragma_update(None, "user_version", 77).unwrap();
    drop(index);
    assert!(SearchIndex::open_existing(&path).unwrap().is_none());
    assert_eq!(SearchIndex::open(&path).unwrap().count().unwrap(), 0);
}

/// The agent, a hook and a session's server may all be the first to open it, or the first after an update.
#[test]
fn those_who_make_it_at_once_have_one_and_the_same() {
    for round in 0..40 {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("index.db");
        if round % 2 == 1 {
            filled(&path).connection.pragma_update(None, "user_version", 77).unwrap();
        }
        let start = Barrier::new(4);
        let open = || {
            start.wait();
            SearchIndex::open(&path)
        };
        let opened: Vec<SearchIndex> = thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            all.into_iter().map(|one| one.join().unwrap().unwrap()).collect()
        });
        opened[0].writer().set_projects(&[("/home/ada/shop".to_owned(), "Shop".to_owned())]).unwrap();
        for index in &opened {
            assert_eq!(index.project_name("/home/ada/shop").unwrap().as_deref(), Some("Shop"));
        }
    }
}

/// What another model makes of notes: its vectors are of two numbers.
fn other() -> IndexModel {
    IndexModel { model: "other".to_owned(), dimensions: 2, vocabulary: 100 }
}

fn next_vectors(texts: &[next::NoteText]) -> Vec<next::NextVector> {
    let vector = |text: &next::NoteText| Some(vec![7, i8::try_from(text.title.len()).unwrap()]);
    texts
        .iter()
        .map(|text| next::NextVector { slot: text.slot, tokens: vec![50, 50], vector: vector(text) })
        .collect()
}

#[test]
fn other_vectors_take_the_place_of_the_old_ones_all_at_once() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("index.db");
    let index = filled(&path);
    index.next_vectors().begin(&other()).unwrap();
    let first = index.next_vectors().missing(1).unwrap();
    index.next_vectors().put(&other(), &first, &next_vectors(&first)).unwrap();
    assert_eq!(index.next_vectors().progress().unwrap(), (1, 2));
    assert!(!index.next_vectors().adopt(&other()).unwrap(), "one note lacks its vector");
    assert_eq!(
        (index.index_model().unwrap(), stored_vectors(&index).len()),
        (Some(make()), 2),
        "the old ones are whole"
    );

    drop(index);
    let index = SearchIndex::open(&path).unwrap();
    index.next_vectors().begin(&other()).unwrap();
    assert_eq!(index.next_vectors().progress().unwrap(), (1, 2), "begun again, it goes on");
    let texts = index.next_vectors().missing(9).unwrap();
    index.next_vectors().put(&other(), &texts, &next_vectors(&texts)).unwrap();
    // Notes come and go meanwhile, and slots are given again.
    index.writer().update(&[note("c.md", "new", &[3], [0, 0, 9, 0])], &["b.md".to_owned()]).unwrap();
    assert!(!index.next_vectors().adopt(&other()).unwrap(), "the new note lacks its vector");
    let texts = index.next_vectors().missing(9).unwrap();
    assert_eq!(texts.iter().map(|text| text.title.as_str()).collect::<Vec<_>>(), ["new"]);
    index.next_vectors().put(&other(), &texts, &next_vectors(&texts)).unwrap();
    assert!(index.next_vectors().adopt(&other()).unwrap());
    assert_eq!(index.index_model().unwrap(), Some(other()));
    let slots: Vec<Slot> =
        ["locks", "new"].map(|word| index.text_hits(&words(&[word]), &[], 1).unwrap()[0].slot).to_vec();
    assert_eq!(stored_vectors(&index), [(slots[0], vec![7, 14]), (slots[1], vec![7, 3])]);
    assert_eq!(index.tokens_of(slots[1]).unwrap(), Some(vec![50, 50]));
    assert_eq!(index.token_counts().unwrap()[50], 2, "a token counts once a note");
    assert!(!index.next_vectors().adopt(&other()).unwrap(), "once");
    assert!(!index.writer().update_made_with(&make(), &[note("d.md", "d", &[1], [1; 4])], &[]).unwrap());
    assert_eq!(index.count().unwrap(), 2, "what was made for the old vectors is refused");
}

#[test]
fn other_vectors_are_of_the_text_that_was_read_and_of_the_model_begun_last() {
    let home = tempfile::tempdir().unwrap();
    let index = filled(&home.path().join("index.db"));
    index.next_vectors().begin(&other()).unwrap();
    let texts = index.next_vectors().missing(9).unwrap();
    let mut stale = texts.clone();
    stale[0].body = "as it was".to_owned();
    index.next_vectors().put(&other(), &stale, &next_vectors(&texts)).unwrap();
    assert_eq!(index.next_vectors().progress().unwrap(), (1, 2));
    index.next_vectors().begin(&make()).unwrap();
    assert_eq!(index.next_vectors().progress().unwrap(), (0, 2), "begun for another model");
    index.next_vectors().put(&other(), &texts, &next_vectors(&texts)).unwrap();
    assert_eq!(index.next_vectors().progress().unwrap(), (0, 2), "of a worker that lost its job");
    index.next_vectors().discard().unwrap();
    assert!(!index.next_vectors().adopt(&make()).unwrap());
    assert_eq!(stored_vectors(&index).len(), 2);
}
