//! Search as a caller sees it: a small index on disk, queries as people type them.

use afterword_recall::{
    EmbeddingModel, Hits, Query, SearchMode, TextOnlyReason, index_model, indexed, search,
};
use afterword_store::{IndexedNote, NoteFilter, SearchIndex};
use tempfile::TempDir;

const LESSONS: [(&str, &str); 8] = [
    ("waits", "Wait for the server's ready line in tests; a fixed sleep makes them flaky."),
    ("upload", "The proxy drops connections after 60 seconds; raise readTimeout for big file transfers."),
    ("borrow", "E0502 in the parser: clone the key before the map is borrowed mutably."),
    ("squash", "Never squash commits when merging; each commit has to build by itself."),
    ("colours", "Buttons take their colour from the theme, never a literal hex value."),
    ("migration", "Migrations are append-only; copy the database before the schema changes."),
    ("naming", "Test names say what is expected in plain words, without the prefix test_."),
    ("release", "Publish from a tag; the pipeline signs the installer and writes the changelog."),
];

struct Shelf {
    _home: TempDir,
    index: SearchIndex,
    model: EmbeddingModel,
}

impl Shelf {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let index = SearchIndex::open(&home.path().join("index.db")).unwrap();
        let model = EmbeddingModel::embedded().unwrap();
        index.writer().clear(&index_model(Some(&model))).unwrap();
        let notes: Vec<_> = LESSONS
            .iter()
            .map(|(path, body)| {
                let document = IndexedNote {
                    path: (*path).to_owned(),
                    title: (*body).to_owned(),
                    body: (*body).to_owned(),
                    status: "active".to_owned(),
                    ..IndexedNote::default()
                };
                indexed(document, "", Some(&model))
            })
            .collect();
        index.writer().update(&notes, &[]).unwrap();
        Self { _home: home, index, model }
    }

    fn search(&self, query: &str, limit: usize) -> Hits {
        let query = Query::new(query);
        search(&self.index, Some(&self.model), &query, &NoteFilter::default(), limit).unwrap()
    }

    fn first(&self, query: &str) -> String {
        self.search(query, 1).hits.first().map(|hit| hit.note.path.clone()).unwrap_or_default()
    }
}

#[test]
fn meaning_is_found_without_a_common_word() {
    let shelf = Shelf::new();
    assert_eq!(shelf.first("unreliable test suite, timing problem"), "waits");
    assert_eq!(shelf.first("upgrade the tables of our SQL storage"), "migration");
}

#[test]
fn words_that_mean_nothing_here_find_nothing() {
    let shelf = Shelf::new();
    for query in [
        "zzzqqq xyzzy",
        "asdfgh jkl",
        "qwertyuiop",
        "aaaa bbbb",
        "brrrr",
        "volcano eruption",
        "grandmother's birthday cake",
    ] {
        assert_eq!(shelf.search(query, 8).hits, [], "{query}");
    }
    assert_eq!(shelf.first("zzzqqq squash"), "squash", "a word that is there is enough");
}

#[test]
fn identifiers_are_found_whole_and_in_parts() {
    let shelf = Shelf::new();
    for query in ["readTimeout", "read timeout", "read_timeout", "READTIMEOUT"] {
        assert_eq!(shelf.first(query), "upload", "{query}");
    }
    for query in ["E0502", "e0502", "error[E0502]: cannot borrow"] {
        assert_eq!(shelf.first(query), "borrow", "{query}");
    }
}

#[test]
fn words_alone_are_searched_without_the_model_and_it_is_said() {
    let shelf = Shelf::new();
    let query = Query::new("squashed commits");
    let found = search(&shelf.index, None, &query, &NoteFilter::default(), 5).unwrap();
    assert_eq!((found.mode, found.text_only), (SearchMode::Text, Some(TextOnlyReason::NoModel)));
    assert_eq!(found.hits[0].note.path, "squash");
    shelf.index.writer().clear(&index_model(None)).unwrap();
    let document = IndexedNote { path: "other".into(), body: "squash".into(), ..IndexedNote::default() };
    shelf.index.writer().update(&[indexed(document, "", None)], &[]).unwrap();
    let found = shelf.search("squashed", 5);
    assert_eq!((found.mode, found.text_only), (SearchMode::Text, Some(TextOnlyReason::OtherModel)));
    assert_eq!(found.hits[0].note.path, "other");
}

#[test]
fn hostile_queries_have_a_clear_answer() {
    let shelf = Shelf::new();
    let long = "squash ".repeat(100_000 / 7);
    let one_word = "x".repeat(100_000);
    let queries = [
        "",
        " ",
        "\"",
        "NEAR(a b, 3)",
        "title:x",
        "* OR * AND NOT",
        "'; DROP TABLE note; --",
        "\u{0}",
        "\u{1f389}\u{1f680}",
        "\u{202e}مرحبا بالعالم",
        "日本語",
        "-x ^y {a b}",
        long.as_str(),
        one_word.as_str(),
    ];
    for query in queries {
        for limit in [0, 1, 5, 1_000_000_000, usize::MAX] {
            let found = shelf.search(query, limit);
            assert!(found.hits.len() <= limit.min(LESSONS.len()));
            assert!(found.hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score)));
        }
    }
    assert_eq!(shelf.first(&long), "squash");
    assert!(shelf.search("\u{1f389}", 5).hits.is_empty(), "nothing is like everything");
    assert_eq!(shelf.index.count().unwrap(), LESSONS.len());
}

#[test]
fn better_hits_come_first() {
    let hits = Shelf::new().search("flaky tests", 8).hits;
    assert!(hits.len() > 3 && hits.is_sorted_by(|one, other| one.score >= other.score));
}
