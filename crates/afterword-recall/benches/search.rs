//! How fast indexing and searching are: `cargo bench -p afterword-recall --bench search -- 10000 100000`
//!
//! Notes are made of the words of the model's vocabulary, frequent ones more often, thirty a note; queries are four words, as one
//! types, and sixteen, as a prompt has. The peer is FTS5 alone on the same words and the same index in the same run. Times
//! are shown twice, by the wall clock and by the processor: on a machine with other load only the latter tells.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark tells what it measured")]

use std::time::{Duration, Instant};

use afterword_recall::{EmbeddingModel, Query, index_model, indexed, search};
use afterword_store::{IndexedNote, NoteFilter, SearchIndex};
use afterword_testkit::{cpu_time, time_and_cpu};

const QUERIES: usize = 400;
/// Projects that the notes are spread over.
const PROJECTS: usize = 20;

/// Words of a vocabulary, drawn again and again.
struct Words {
    all: Vec<&'static str>,
    state: u64,
}

impl Words {
    fn new() -> Self {
        let all = include_str!("../model/vocab.txt").lines();
        let all = all.filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        Self { all: all.collect(), state: 88_172_645_463_325_252 }
    }

    fn text(&mut self, length: usize) -> String {
        (0..length).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    /// xorshift64; the square favours the vocabulary's beginning, where frequent words are.
    fn word(&mut self) -> &'static str {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let share = (self.state >> 11) as f64 / (1_u64 << 53) as f64;
        self.all[(share * share * self.all.len() as f64) as usize]
    }
}

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    for notes in if sizes.is_empty() { vec![10_000, 100_000] } else { sizes } {
        measure(notes);
    }
}

fn measure(notes: usize) {
    let mut words = Words::new();
    let home = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(&home.path().join("index.db")).unwrap();
    let start = Instant::now();
    let model = EmbeddingModel::embedded().unwrap();
    println!("{notes} notes; the model loads in {:?}", start.elapsed());
    index.writer().clear(&index_model(Some(&model))).unwrap();
    let bodies: Vec<String> = (0..notes).map(|_| words.text(30)).collect();
    let document = |(number, body): (usize, String)| IndexedNote {
        path: format!("note-{number}"),
        title: body.chars().take(60).collect(),
        body,
        kind: "fix".to_owned(),
        status: "active".to_owned(),
        project: format!("project-{}", number % PROJECTS),
        ..IndexedNote::default()
    };
    let (start, cpu) = (Instant::now(), cpu_time());
    let documents: Vec<_> =
        bodies.into_iter().enumerate().map(|note| indexed(document(note), "", Some(&model))).collect();
    index.writer().update(&documents, &[]).unwrap();
    let rate = |time: Duration| notes as f64 / time.as_secs_f64();
    let (wall, cpu) = (rate(start.elapsed()), rate(cpu_time() - cpu));
    println!("  {:<34} {wall:>7.0} notes/s   processor {cpu:>7.0} notes/s", "indexing");
    let any = NoteFilter::default();
    let one = NoteFilter {
        project: Some("project-7".to_owned()),
        statuses: vec!["active".to_owned(), "inbox".to_owned()],
        ..NoteFilter::default()
    };
    for length in [4, 16] {
        let queries: Vec<Query> = (0..QUERIES).map(|_| Query::new(&words.text(length))).collect();
        let sort = |what: &str| format!("{what}, {length} words");
        report(&sort("FTS5 alone"), &queries, |query| {
            assert!(!index.text_hits(query.words(), &[], 10).unwrap().is_empty());
        });
        for (what, filter) in [("hybrid", &any), ("hybrid in one project", &one)] {
            report(&sort(what), &queries, |query| {
                let found = search(&index, Some(&model), query, filter, 10).unwrap();
                assert_eq!(found.hits.len(), 10);
            });
        }
        report(&sort("words alone, without the model"), &queries, |query| {
            search(&index, None, query, &any, 10).unwrap();
        });
    }
}

fn report(what: &str, queries: &[Query], ask: impl Fn(&Query)) {
    let mut times: Vec<(Duration, Duration)> = queries
        .iter()
        .map(|query| {
            let ((), wall, cpu) = time_and_cpu(|| ask(query));
            (wall, cpu)
        })
        .collect();
    times.sort();
    let wall = |at: usize| times[at].0.as_secs_f64() * 1e3;
    let (wall_50, wall_99) = (wall(QUERIES / 2), wall(QUERIES * 99 / 100));
    times.sort_by_key(|(_, cpu)| *cpu);
    let cpu = |at: usize| times[at].1.as_secs_f64() * 1e3;
    let (cpu_50, cpu_99) = (cpu(QUERIES / 2), cpu(QUERIES * 99 / 100));
    println!(
        "  {what:<42} p50 {wall_50:>6.2} ms  p99 {wall_99:>6.2} ms   processor p50 {cpu_50:>6.2} ms  p99 {cpu_99:>6.2} ms"
    );
}
