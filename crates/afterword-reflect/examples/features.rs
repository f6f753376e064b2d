//! Prints what the built-in engine weighs, for `training/train.py`: one JSON object a line.
//!
//! `features session TRANSCRIPT…` reads transcripts; `features corpus FILE…` reads the made-up moments of
//! `training/utterances`, of which it prints only what such a moment can hold.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use afterword_reflect::builtin::act::{Act, Circumstances, row};
use afterword_reflect::builtin::clause::clauses;
use afterword_reflect::builtin::context::Surroundings;
use afterword_reflect::builtin::features::{Features, of_moment, of_remark};
use afterword_reflect::builtin::language::Language;
use afterword_reflect::builtin::moment::{Moment, Moments};
use afterword_reflect::builtin::outright::{self, Form};
use afterword_reflect::builtin::remark::Remarks;
use afterword_transcript::event::{Authorship, EntryLocation, Event, Origin, Utterance};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().ok_or("usage: features session|corpus FILE…")?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for path in arguments {
        match mode.as_str() {
            "session" => session(Path::new(&path), &mut out)?,
            "corpus" => corpus(Path::new(&path), &mut out)?,
            _ => return Err("usage: features session|corpus FILE…".into()),
        }
    }
    Ok(())
}

fn session(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let (mut moments, mut remarks, mut complete) =
        (Moments::default(), Remarks::new(Language::english()), Vec::new());
    afterword_transcript::scan(path, None, &mut |event: Event| {
        moments.push(&event);
        complete.extend(remarks.push(&event));
    })?;
    complete.extend(remarks.finish());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for moment in moments.finish() {
        let line = json!({"session": name, "pass": "moment", "ordinal": moment.ordinal, "lines": lines(&moment),
            "before": moment.before.as_ref().map(|said| said.place.line), "reply": moment.reply.as_ref().map(|said| said.place.line),
            "text": moment.own, "clauses": rows(&moment), "features": map(&of_moment(&moment, Act { rule: 0.5, lasting: 0.5, idea: 0.5 }, Language::english()))});
        writeln!(out, "{line}")?;
    }
    for remark in complete {
        let line = json!({"session": name, "pass": "remark", "ordinal": remark.ordinal, "lines": [remark.place.line],
            "text": remark.text, "features": map(&of_remark(&remark, Language::english()))});
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The clauses of a moment: where each stands, whether it is part of a sentence, and its features.
fn rows(moment: &Moment) -> Vec<Value> {
    let all = clauses(&moment.own);
    let circumstances = Circumstances::of(moment);
    let surroundings = Surroundings::of(&all, circumstances.language);
    all.iter()
        .enumerate()
        .map(|(index, clause)| {
            let around = &surroundings[index];
            let groups: serde_json::Map<String, Value> =
                around.groups().map(|(name, members)| (name.to_owned(), json!(members))).collect();
            let stated = outright::stated(Form::of(clause, &moment.own), circumstances.language);
            json!({"text": clause.text, "start": clause.start, "partial": clause.partial,
                "row": row(&all, index, &circumstances, Language::english()),
                "stated": stated, "groups": groups, "marks": map(around.marks())})
        })
        .collect()
}

fn lines(moment: &Moment) -> Vec<u64> {
    std::iter::once(&moment.utterance.place).chain(&moment.utterance.also).map(|place| place.line).collect()
}

fn map(features: &Features) -> Value {
    features
        .iter()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn corpus(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    for line in BufReader::new(std::fs::File::open(path)?).lines() {
        let example: Value = serde_json::from_str(&line?)?;
        // The older files call the agent's words before and after `agent` and `next`.
        let text = |key: &str| {
            let older = match key {
                "before" => "agent",
                "reply" => "next",
                key => key,
            };
            example[key].as_str().or(example[older].as_str()).unwrap_or_default().to_owned()
        };
        let place = |line| EntryLocation { line, uuid: String::new(), time: None, sidechain: false };
        let mut moments = Moments::default();
        if text("did") != "none" {
            moments.push(&Event::Agent { place: place(1), text: text("before") });
        }
        let origin = match text("did").as_str() {
            "working" => Origin::Queued,
            "rejected" => Origin::Rejection { call: String::new() },
            _ => Origin::Prompt,
        };
        let said = Utterance {
            place: place(2),
            also: vec![],
            origin,
            authorship: Authorship::Person,
            text: text("user"),
            attachment: false,
            pasted: vec![],
        };
        moments.push(&Event::User(said));
        if !text("reply").is_empty() {
            moments.push(&Event::Agent { place: place(3), text: text("reply") });
        }
        for moment in moments.finish() {
            let mut features =
                map(&of_moment(&moment, Act { rule: 0.5, lasting: 0.5, idea: 0.5 }, Language::english()));
            if let Some(features) = features.as_object_mut() {
                // A made-up moment has no tool calls, and whether it is a session's first is not told.
                features.retain(|name, _| {
                    !name.starts_with("lead.") && !name.starts_with("follow.") && name != "origin.first"
                });
                if text("reply").is_empty() {
                    features.retain(|name, _| !name.starts_with("reply."));
                }
            }
            let line = json!({"act": example["act"], "lesson": example["lesson"], "kind": example["kind"],
                "firm": example["firm"], "text": text("user"), "lang": example["lang"], "lessons": example["lessons"],
                "clauses": rows(&moment), "features": features});
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
