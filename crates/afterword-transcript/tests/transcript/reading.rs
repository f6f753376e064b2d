//! What a reader must survive: every kind of broken, huge, growing and rewritten file.

use std::fs::{self, OpenOptions};
use std::io::Write;

use crate::written::{SESSION, Written, entry, read, time, words};
use afterword_transcript::event::Event;
use afterword_transcript::report::{IncompleteLine, SkipReason};
use afterword_transcript::{Report, Scan, TranscriptError, read_excerpt, scan};
use serde_json::json;

fn user(number: u64, text: &str) -> String {
    entry(number, json!({"type": "user", "message": {"role": "user", "content": text}}))
}

fn skipped(report: &Report) -> Vec<(u64, SkipReason)> {
    assert_eq!(report.skipped.total as usize, report.skipped.first.len());
    report.skipped.first.iter().map(|line| (line.line, line.reason)).collect()
}

/// A bad line between two good ones is skipped for a reason, and nothing else is lost.
#[track_caller]
fn check_skipped(bad: &[u8], reason: SkipReason) {
    let session = Written::new().user("before").raw(bad).user("after").read();
    assert_eq!(words(&session), ["before", "after"]);
    assert_eq!(skipped(&session.report), [(2, reason)]);
    assert_eq!(session.report.entries, 2);
    assert_eq!(session.report.skipped.first[0].bytes, bad.len() as u64);
}

#[test]
fn a_line_that_is_no_entry_is_skipped_with_its_number() {
    check_skipped(b"not json at all", SkipReason::NotJson);
    check_skipped(b"// made by a tool", SkipReason::Comment);
    check_skipped(b"\"a string\"", SkipReason::NotAnObject);
    check_skipped(b"42", SkipReason::NotAnObject);
    check_skipped(b"[1, {\"type\": \"user\"}]", SkipReason::NotAnObject);
    check_skipped(b"null", SkipReason::NotAnObject);
    check_skipped(br#"{"type":"user","message":{"role":"user","content":"cut off"#, SkipReason::Truncated);
    check_skipped(br#"{"type":"user",}"#, SkipReason::NotJson);
    check_skipped(br#"{"type" "user"}"#, SkipReason::NotJson);
    check_skipped(b"{\"type\":\"user\",\"message\":{\"content\":\"\xff\xfe\"}}", SkipReason::NotUtf8);
    check_skipped(&[0; 700], SkipReason::Nul);
}

#[test]
fn line_ends_and_marks_of_other_systems_are_read() {
    let text = format!("\u{feff}{}\r\n\r\n  {}  \r\n", user(1, "one"), user(2, "two"));
    let session = Written::new().raw(text).read();
    assert_eq!(words(&session), ["one", "two"]);
    assert_eq!(session.report.skipped.total, 0);
    // Zero bytes that a crash left before an entry do not hide it.
    let session = Written::new().raw([b"\0\0\0".to_vec(), user(1, "one").into_bytes()].concat()).read();
    assert_eq!(words(&session), ["one"]);
}

#[test]
fn two_entries_on_one_line_are_both_read() {
    let summary =
        r#"{"type":"summary","summary":"Fixing tests","leafUuid":"00000000-0000-4000-8000-000000000001"}"#;
    let session = Written::new().raw(format!("{}{summary}", user(1, "one"))).read();
    assert_eq!(words(&session), ["one"]);
    assert_eq!((session.report.entries, session.report.title.as_deref()), (2, Some("Fixing tests")));
    let session = Written::new().raw(format!("{} {}", user(1, "one"), user(2, "two"))).read();
    assert_eq!(words(&session), ["one", "two"]);
}

#[test]
fn an_entry_behind_one_that_a_crash_cut_off_is_read() {
    let cut = &user(1, "lost words")[..150];
    let session = Written::new().raw(format!("{cut}{}", user(2, "kept"))).read();
    assert_eq!(words(&session), ["kept"]);
    assert_eq!(session.report.skipped.total, 1);
    assert_eq!(session.report.skipped.first[0].bytes, 150);
    // What only looks like an entry inside the one cut off is none.
    let cut = r#"{"type":"user","message":{"content":[{"type":"text","text":"half"}"#;
    assert_eq!(Written::new().raw(cut).read().report.entries, 0);
}

#[test]
fn shapes_no_client_should_write_are_survived() {
    let session = Written::new()
        .raw(r#"{"type":"user","message":"a plain string","uuid":"u1"}"#)
        .raw(r#"{"type":"user","message":{"role":"user"},"uuid":"u2"}"#)
        .raw(r#"{"type":"user","message":null,"uuid":"u3"}"#)
        .raw(r#"{"type":"user","message":{"content":null},"uuid":"u4"}"#)
        .raw(r#"{"type":"assistant","message":{"content":[null,7,{"type":"text"},{"type":"tool_use","input":[]}]},"uuid":"u5"}"#)
        .raw(r#"{"type":"telepathy","uuid":"u6","message":{"content":"x"}}"#)
        .raw(r#"{"uuid":7,"type":["user"]}"#)
        .raw("{}")
        .read();
    assert_eq!(words(&session), ["a plain string"]);
    assert_eq!((session.report.entries, session.report.skipped.total), (8, 0));
    assert_eq!(session.report.census.unknown_kinds().collect::<Vec<_>>(), [("(none)", 2), ("telepathy", 1)]);
}

#[test]
fn lone_surrogates_and_zero_escapes_do_not_lose_the_line() {
    let session = Written::new()
        .raw(
            r#"{"type":"user","message":{"content":"half \ud83d and \u0000 zero \ud83d\ude42"},"uuid":"u1"}"#,
        )
        .read();
    assert_eq!(words(&session), ["half \u{fffd} and  zero 🙂"]);
}

#[test]
fn nesting_of_any_depth_costs_no_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
        let line = format!(
            r#"{{"type":"user","toolUseResult":{deep},"message":{{"content":[{{"type":"x","y":{deep}}},{{"type":"text","text":"hi"}}]}}}}"#
        );
        assert_eq!(words(&Written::new().raw(line).read()), ["hi"]);
        let endless = format!(r#"{{"type":"user","x":{}"#, open.repeat(200_000));
        assert_eq!(skipped(&Written::new().raw(endless).read().report), [(1, SkipReason::Truncated)]);
    }
}

#[test]
fn keys_in_any_order_and_form_are_understood() {
    let session = Written::new()
        .raw(r#" { "message" : { "content" : [ { "text" : "one" , "type" : "text" } ] } , "isMeta" : false , "uuid" : "u1" , "type" : "user" } "#)
        .raw(r#"{"message":{"content":"not theirs"},"uuid":"u2","isMeta":true,"type":"user"}"#)
        .raw(r#"{"\u0074ype":"us\u0065r","message":{"cont\u0065nt":"two"},"uuid":"u3"}"#)
        .read();
    assert_eq!(words(&session), ["one", "two"]);
}

#[test]
fn an_entry_is_read_once_though_the_file_repeats_it() {
    let session = Written::new().raw(user(1, "once")).raw(user(1, "once")).raw(user(2, "twice")).read();
    assert_eq!(words(&session), ["once", "twice"]);
    assert_eq!((session.report.entries, session.report.repeated), (3, 1));
}

#[test]
fn an_entry_another_file_had_is_counted_and_not_told() {
    let path = Written::new().raw(user(1, "copied by the fork")).raw(user(2, "new"));
    let path = (path.save("\n"), path);
    let mut known = |uuid: &str| uuid == crate::written::uuid(1);
    let mut events = Vec::new();
    let report = Scan::new(&path.0).skip_known(&mut known).run(&mut |event| events.push(event)).unwrap();
    assert_eq!((events.len(), report.repeated, report.entries), (1, 1, 2));
}

#[test]
fn a_line_over_the_cap_is_skipped_with_its_size() {
    let long = user(2, &"x".repeat(100_000));
    let written = Written::new().raw(user(1, "before")).raw(&long).raw(user(3, "after"));
    let path = written.save("\n");
    let mut events = Vec::new();
    let report = Scan::new(&path).line_cap(10_000).run(&mut |event| events.push(event)).unwrap();
    assert_eq!(skipped(&report), [(2, SkipReason::TooLong)]);
    assert_eq!(report.skipped.first[0].bytes, long.len() as u64);
    assert_eq!((events.len(), report.lines), (2, 3));
}

#[test]
fn a_line_of_three_hundred_megabytes_is_passed_without_being_held() {
    let written = Written::new();
    let path = written.save("");
    let mut file = fs::File::create(&path).unwrap();
    writeln!(file, "{}", user(1, "before")).unwrap();
    let end = file.metadata().unwrap().len();
    // A sparse file costs no disk; its zero bytes are one line.
    file.set_len(end + 300_000_000).unwrap();
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    writeln!(file, "\n{}", user(2, "after")).unwrap();
    let session = read(&path);
    assert_eq!(words(&session), ["before", "after"]);
    assert_eq!(skipped(&session.report), [(2, SkipReason::TooLong)]);
}

#[test]
fn a_half_written_last_line_waits_and_is_read_when_it_is_whole() {
    let (whole, half) = (user(1, "one"), user(2, "two"));
    for cut in [1, 20, half.len() - 1] {
        let written = Written::new().raw(&whole).raw(&half[..cut]);
        let path = written.save("");
        let session = read(&path);
        assert_eq!(words(&session), ["one"], "cut at {cut}");
        assert_eq!(session.report.skipped.total, 0);
        assert_eq!(session.report.pending, Some(IncompleteLine { line: 2, bytes: cut as u64 }));
        assert_eq!((session.report.mark.offset, session.report.mark.breaks), (whole.len() as u64 + 1, 1));
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        writeln!(file, "{}\n{}", &half[cut..], user(3, "three")).unwrap();
        let mut events = Vec::new();
        let report = scan(&path, Some(&session.report.mark), &mut |event| events.push(event)).unwrap();
        let lines: Vec<u64> = events
            .iter()
            .map(|event| if let Event::User(said) = event { said.place.line } else { 0 })
            .collect();
        assert_eq!(lines, [2, 3]);
        assert_eq!((report.restarted, report.pending, report.entries), (false, None, 2));
    }
}

#[test]
fn a_character_cut_in_half_at_the_end_waits_too() {
    let half = user(2, "é").into_bytes();
    let cut = half.iter().position(|byte| *byte == 0xc3).unwrap() + 1;
    let path = Written::new().raw(user(1, "one")).raw(&half[..cut]);
    let session = read(&path.save(""));
    assert_eq!((session.report.skipped.total, session.report.pending.is_some()), (0, true));
}

#[test]
fn a_whole_last_line_without_a_break_is_read_at_once_and_not_again() {
    let written = Written::new().raw(user(1, "one")).raw(user(2, "two"));
    let path = written.save("");
    let session = read(&path);
    assert_eq!(words(&session), ["one", "two"]);
    assert_eq!(session.report.pending, None);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    writeln!(file, "\n{}", user(3, "three")).unwrap();
    let mut lines = Vec::new();
    let report = scan(&path, Some(&session.report.mark), &mut |event| {
        if let Event::User(said) = event {
            lines.push((said.place.line, said.text));
        }
    });
    assert_eq!(lines, [(3, "three".to_owned())]);
    assert_eq!(report.unwrap().skipped.total, 0);
}

#[test]
fn an_unchanged_file_is_not_read() {
    let written = Written::new().user("one");
    let path = written.save("\n");
    let mark = read(&path).report.mark;
    let report = scan(&path, Some(&mark), &mut |_| panic!("nothing is new")).unwrap();
    assert!(report.unchanged && !report.restarted);
    assert_eq!((report.bytes, report.mark), (0, mark));
}

#[test]
fn a_file_cut_short_or_rewritten_is_read_from_the_start() {
    let written = Written::new().user("one").user("two");
    let path = written.save("\n");
    let mark = read(&path).report.mark;
    let texts = |from: &afterword_transcript::Mark| {
        let mut texts = Vec::new();
        let report = scan(&path, Some(from), &mut |event| {
            if let Event::User(said) = event {
                texts.push(said.text);
            }
        });
        (texts, report.unwrap().restarted)
    };
    fs::write(&path, format!("{}\n", user(1, "one"))).unwrap();
    assert_eq!(texts(&mark), (vec!["one".to_owned()], true));
    // Another beginning, though the file is longer than before.
    fs::write(&path, format!("{}\n{}\n{}\n", user(7, "new one"), user(8, "new two"), user(9, "new three")))
        .unwrap();
    assert_eq!(texts(&mark).0.len(), 3);
    assert!(texts(&mark).1);
    // The same beginning, another end.
    let long: Vec<String> = (1..40).map(|number| user(number, "the same")).collect();
    fs::write(&path, format!("{}\n{}\n", long.join("\n"), user(50, "old"))).unwrap();
    let mark = read(&path).report.mark;
    fs::write(&path, format!("{}\n{}\n{}\n", long.join("\n"), user(51, "new"), user(52, "newer"))).unwrap();
    let (texts, restarted) = texts(&mark);
    assert!(restarted);
    assert_eq!(texts.last().map(String::as_str), Some("newer"));
}

#[test]
fn reading_in_any_steps_gives_the_same_entries() {
    let lines: Vec<String> = (1..30).map(|number| user(number, &format!("message {number} é"))).collect();
    let whole = lines.join("\n") + "\n";
    let written = Written::new();
    let path = written.save("");
    for step in [1, 7, 333, 1000] {
        fs::write(&path, "").unwrap();
        let mut mark = None;
        let mut texts = Vec::new();
        for part in whole.as_bytes().chunks(step) {
            OpenOptions::new().append(true).open(&path).unwrap().write_all(part).unwrap();
            let report = scan(&path, mark.as_ref(), &mut |event| {
                if let Event::User(said) = event {
                    texts.push((said.place.line, said.text));
                }
            })
            .unwrap();
            assert_eq!((report.restarted, report.skipped.total), (false, 0));
            mark = Some(report.mark);
        }
        let expected: Vec<_> = (1..30).map(|number| (number, format!("message {number} é"))).collect();
        assert_eq!(texts, expected, "in steps of {step}");
    }
}

#[test]
fn what_is_no_file_is_refused_by_name() {
    let written = Written::new();
    let folder = written.path().with_extension("folder");
    fs::create_dir(&folder).unwrap();
    let nothing = |_: Event| panic!("nothing to read");
    assert!(
        matches!(scan(&folder, None, &mut { nothing }), Err(TranscriptError::NotAFile { path }) if path == folder)
    );
    let missing = written.path().with_extension("missing");
    assert!(
        matches!(scan(&missing, None, &mut { nothing }), Err(TranscriptError::Open { path, .. }) if path == missing)
    );
}

#[cfg(unix)]
#[test]
fn a_socket_is_refused_without_waiting() {
    let written = Written::new();
    let path = written.path();
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert!(matches!(scan(&path, None, &mut |_| {}), Err(TranscriptError::NotAFile { .. })));
}

#[test]
fn the_report_says_what_the_session_was() {
    let session = Written::new()
        .raw(r#"{"type":"summary","summary":"Another session","leafUuid":"not-here"}"#)
        .raw(entry(1, json!({"type": "user", "message": {"content": "hi"}, "entrypoint": "cli", "timestamp": time(50)})))
        .raw(entry(2, json!({"type": "assistant", "cwd": "/home/ada/app/.worktrees/1", "gitBranch": "fix", "version": "2.1.51",
            "timestamp": time(20), "message": {"id": "m1", "content": [], "usage": {"input_tokens": 3, "output_tokens": 1, "cache_read_input_tokens": 100}}})))
        .raw(entry(3, json!({"type": "assistant", "timestamp": time(60), "sessionId": "other",
            "message": {"id": "m1", "content": [], "usage": {"input_tokens": 3, "output_tokens": 9, "cache_read_input_tokens": 100}}})))
        .raw(entry(4, json!({"type": "progress", "timestamp": time(90), "data": {"type": "hook_progress"}})))
        .raw(r#"{"type":"ai-title","aiTitle":"Greeting","sessionId":"x"}"#)
        .read();
    let report = session.report;
    assert_eq!(report.session_ids, [SESSION, "other", "x"]);
    assert_eq!(report.first_cwd.as_deref(), Some("/home/ada/app"));
    assert_eq!(report.last_cwd.as_deref(), Some("/home/ada/app"));
    assert_eq!(report.git_branch.as_deref(), Some("main"));
    let at = |second| Some(time(second).parse().unwrap());
    assert_eq!((report.started, report.ended, report.last_activity), (at(20), at(60), at(90)));
    assert_eq!(
        report.title.as_deref(),
        Some("Greeting"),
        "the summary is of a session that is not in this file"
    );
    assert_eq!(
        (report.usage.messages, report.usage.input, report.usage.output, report.usage.cache_read),
        (1, 3, 9, 100)
    );
    assert_eq!(report.census.kinds["assistant"], 2);
    assert_eq!(report.census.details["progress/hook_progress"], 1);
    assert_eq!(report.census.versions["2.1.51"], 1);
    assert_eq!(report.census.entrypoints["cli"], 1);
}

#[test]
fn lines_are_given_back_as_they_stand() {
    let written = Written::new().user("one").raw("broken").user("three").user("four");
    let path = written.save("");
    let given = read_excerpt(&path, 2, 1).unwrap();
    assert_eq!(given.iter().map(|excerpt| excerpt.line).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(given[1].text, "broken");
    assert!(
        matches!(&given[2].events[..], [Event::User(said)] if said.text == "three" && said.place.line == 3)
    );
    assert_eq!(read_excerpt(&path, 4, 0).unwrap()[0].events.len(), 1);
    assert!(read_excerpt(&path, 9, 0).unwrap().is_empty());
}
