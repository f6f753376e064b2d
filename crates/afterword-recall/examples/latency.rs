//! How fast indexing and searching are: `cargo run --release -p afterword-recall --example latency -- 10000`
//!
//! Notes are made of the words of the model's vocabulary, frequent ones more often, thirty a note.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::{Duration, Instant};

use afterword_recall::{Document, EmbeddingModel, Query, index_make, indexed, search};
use afterword_store::{NoteFilter, SearchIndex};

const QUERIES: usize = 300;

fn main() {
    let notes: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let words: Vec<&str> = include_str!("../model/vocab.txt")
        .lines()
        .filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()))
        .collect();
    let mut random = 88_172_645_463_325_252_u64;
    let mut text = |length: usize| {
        let mut word = || {
            // xorshift64; the square favours the vocabulary's beginning, where frequent words are.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let share = (random >> 11) as f64 / (1_u64 << 53) as f64;
            words[(share * share * words.len() as f64) as usize]
        };
        (0..length).map(|_| word()).collect::<Vec<_>>().join(" ")
    };
    let home = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(&home.path().join("index.db")).unwrap();
    let start = Instant::now();
    let model = EmbeddingModel::embedded().unwrap();
    println!("load the model          {:?}", start.elapsed());
    index.clear(&index_make(Some(&model))).unwrap();
    let bodies: Vec<String> = (0..notes).map(|_| text(30)).collect();
    let start = Instant::now();
    let document = |(number, body): (usize, String)| Document {
        path: format!("note-{number}"),
        title: body.chars().take(60).collect(),
        body,
        status: "active".to_owned(),
        ..Document::default()
    };
    let documents: Vec<_> =
        bodies.into_iter().enumerate().map(|note| indexed(document(note), Some(&model))).collect();
    println!("read and embed          {:.0} notes/s", notes as f64 / start.elapsed().as_secs_f64());
    index.update(&documents, &[]).unwrap();
    println!("all of indexing         {:.0} notes/s", notes as f64 / start.elapsed().as_secs_f64());
    let mut times: Vec<Duration> = (0..QUERIES)
        .map(|number| {
            let query = text(if number % 2 == 0 { 4 } else { 16 });
            let start = Instant::now();
            let found =
                search(&index, Some(&model), &Query::new(&query), &NoteFilter::default(), 10).unwrap();
            assert_eq!(found.hits.len(), 10);
            start.elapsed()
        })
        .collect();
    times.sort();
    println!("search {notes:>7} p50 {:?}  p99 {:?}", times[QUERIES / 2], times[QUERIES * 99 / 100]);
}
