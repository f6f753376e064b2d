//! Sessions are found by what was said and done in them; what is secret, excluded, forgotten or gone is not.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use afterword_app::pause::NoPause;
use afterword_app::session_search::{FindRequest, FindResult, SessionSource};
use afterword_app::{ExportForm, Target, archive, forget, reading, session_export, session_search};
use jiff::tz::TimeZone;

use afterword_testkit::transcript::{answered, typed, with_a_rule};
use afterword_testkit::{Sandbox, now};

const ONE: &str = "5f0a0000-0000-4000-8000-0000000000a1";
const TWO: &str = "5f0a0000-0000-4000-8000-0000000000a2";

pub(crate) fn request(query: &str) -> FindRequest {
    FindRequest { query: query.to_owned(), limit: 10, lines: 3, ..FindRequest::default() }
}

fn look(host: &Sandbox, request: &FindRequest) -> FindResult {
    let app = host.app();
    let indexed = session_search::index_sessions(&app, &mut NoPause).unwrap().unwrap();
    assert_eq!(indexed.problems, Vec::<String>::new());
    session_search::find(&app, request, now().timestamp()).unwrap()
}

/// The sessions that are found, with the lines in them.
pub(crate) fn sessions_found(host: &Sandbox, query: &str) -> Vec<(String, Vec<u64>)> {
    let found = look(host, &request(query));
    found
        .sessions
        .into_iter()
        .map(|session| (session.session, session.lines.iter().map(|line| line.line).collect()))
        .collect()
}

/// Whether a database of the state, or its log, holds a text.
pub(crate) fn in_state(host: &Sandbox, database: &str, text: &str) -> bool {
    let folder = fs::read_dir(&host.paths().state).unwrap().flatten();
    let files = folder.filter(|entry| entry.file_name().to_string_lossy().starts_with(database));
    let needle = text.as_bytes();
    let mut holds = false;
    for file in files {
        let bytes = fs::read(file.path()).unwrap();
        holds |= bytes.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle));
    }
    holds
}

#[test]
fn latest_sessions_are_listed_as_they_are_among_all() {
    let host = Sandbox::new();
    for (number, session) in (0..).zip([ONE, TWO]) {
        let path = host.session(session, &with_a_rule(session));
        let written = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + number);
        File::options().append(true).open(path).unwrap().set_modified(written).unwrap();
    }
    host.reflect_with(Target::One(TWO.to_owned()), false);
    session_search::index_sessions(&host.app(), &mut NoPause).unwrap().unwrap();
    let all = session_search::session_lines(&host.app(), None).unwrap();
    assert_eq!(all.iter().map(|line| line.session.as_str()).collect::<Vec<_>>(), [TWO, ONE]);
    assert!(!all[0].first_words.is_empty());
    assert_eq!(session_search::session_lines(&host.app(), Some(1)).unwrap(), all[..1]);
    assert_eq!(session_search::session_lines(&host.app(), Some(9)).unwrap(), all);
}

#[test]
fn session_is_found_by_what_the_person_meant() {
    let host = Sandbox::new();
    let asked = "write an email to the customer about the delay";
    host.session(ONE, &[typed(ONE, 1, asked), answered(ONE, 2, "It says that we are sorry.")]);
    host.session(
        TWO,
        &[typed(TWO, 1, "draw the blue door"), answered(TWO, 2, "Letters to clients are drawn, too.")],
    );
    let found = look(&host, &request("send letter client"));
    assert!(found.has_some_words, "no line has all of the words");
    let lines = |of: &str| {
        let session = found.sessions.iter().find(|session| session.session == of).unwrap();
        session.lines.iter().map(|line| (line.line, line.by_meaning)).collect::<Vec<_>>()
    };
    assert_eq!((lines(ONE), lines(TWO)), (vec![(1, true)], vec![(2, false)]), "{found:?}");
    // A phrase, one word, and another project are taken as they are.
    assert_eq!(sessions_found(&host, "\"send letter client\""), []);
    assert_eq!(sessions_found(&host, "send"), []);
    let elsewhere = FindRequest { project: Some("nowhere".to_owned()), ..request("send letter client") };
    assert_eq!(look(&host, &elsewhere).sessions, []);
    forget::forget_session(&host.app(), ONE, now().timestamp()).unwrap();
    let left: Vec<_> =
        look(&host, &request("send letter client")).sessions.into_iter().map(|one| one.session).collect();
    assert_eq!(left, [TWO], "what is forgotten is found by nothing");
}

#[test]
fn session_is_found_by_its_words_and_at_its_line() {
    let host = Sandbox::new();
    host.session(ONE, &with_a_rule(ONE));
    host.session(TWO, &[typed(TWO, 1, "draw the \"blue\" door"), answered(TWO, 2, "The door is blue now.")]);
    assert_eq!(sessions_found(&host, "merged migrations"), [(ONE.to_owned(), vec![3])]);
    assert_eq!(sessions_found(&host, "\"door is blue\""), [(TWO.to_owned(), vec![2])]);
    assert_eq!(sessions_found(&host, "door"), [(TWO.to_owned(), vec![1, 2])]);
    assert_eq!(sessions_found(&host, "zzzqqq xyzzy"), []);
    let some = look(&host, &request("door xyzzy"));
    assert!(some.has_some_words && some.sessions.len() == 1);
    let only_me = FindRequest { only_person: true, ..request("door") };
    assert_eq!(look(&host, &only_me).sessions[0].lines.len(), 1);
    let typing = FindRequest { is_typing: true, ..request("migra") };
    assert_eq!(look(&host, &typing).sessions.len(), 1);
    assert_eq!(look(&host, &request("migra")).sessions.len(), 0);
    let elsewhere = FindRequest { project: Some("kitchen".to_owned()), ..request("door") };
    assert_eq!(look(&host, &elsewhere).sessions.len(), 0);
    let here = FindRequest { project: Some("shop".to_owned()), ..request("door") };
    let session = look(&host, &here).sessions.remove(0);
    assert_eq!(
        (session.first_words.as_str(), session.project.as_str()),
        ("draw the \"blue\" door", "/home/ada/shop")
    );
    assert_eq!(session.place, SessionSource::Transcript);
    let marked: Vec<_> = session.lines[0]
        .snippet
        .iter()
        .filter(|piece| piece.is_match)
        .map(|piece| piece.text.as_str())
        .collect();
    assert_eq!(marked, ["door"]);
}

#[test]
fn only_what_a_session_grew_by_is_added_and_one_written_anew_is_read_anew() {
    let host = Sandbox::new();
    let mut lines = vec![typed(ONE, 1, "paint the fence"), answered(ONE, 2, "Painted.")];
    host.session(ONE, &lines);
    assert_eq!(sessions_found(&host, "fence").len(), 1);
    lines.push(typed(ONE, 3, "and the gate"));
    // A line that is still being written is none yet.
    let path = host.session(ONE, &lines);
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    assert_eq!(sessions_found(&host, "gate"), []);
    fs::write(&path, &whole).unwrap();
    assert_eq!(sessions_found(&host, "gate"), [(ONE.to_owned(), vec![3])]);
    assert_eq!(sessions_found(&host, "fence"), [(ONE.to_owned(), vec![1])]);
    let status = session_search::session_index_status(&host.app()).unwrap().unwrap();
    assert_eq!((status.files, status.rows), (1, 3));
    assert_eq!(session_search::index_sessions(&host.app(), &mut NoPause).unwrap().unwrap().changed, 0);
    host.session(
        ONE,
        &[
            typed(ONE, 1, "something else, and longer than what was there before it, all in all"),
            answered(ONE, 2, "Yes."),
            typed(ONE, 3, "again and again until it is longer"),
        ],
    );
    assert_eq!(sessions_found(&host, "fence"), []);
    assert_eq!(sessions_found(&host, "something else"), [(ONE.to_owned(), vec![1])]);
    fs::remove_file(&path).unwrap();
    assert_eq!(sessions_found(&host, "something else"), []);
    assert_eq!(session_search::session_index_status(&host.app()).unwrap().unwrap().files, 0);
}

#[test]
fn secrets_are_taken_out_before_anything_is_indexed() {
    let host = Sandbox::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let secret = &secret[..40];
    let lines = [
        typed(ONE, 1, &format!("use the token {secret} for the deploy")),
        answered(ONE, 2, "Deployed."),
        typed(ONE, 3, "my password: correcthorse99battery"),
    ];
    host.session(ONE, &lines);
    assert_eq!(sessions_found(&host, "deploy").len(), 1);
    assert_eq!(sessions_found(&host, secret), []);
    // What was recognised once is known when the session goes on.
    host.session(ONE, &[lines.concat(), answered(ONE, 4, "I noted correcthorse99battery for later.")]);
    assert_eq!(sessions_found(&host, "noted").len(), 1);
    assert_eq!(sessions_found(&host, "correcthorse99battery"), []);
    assert!(
        !in_state(&host, "sessions.db", "correcthorse99battery")
            && !in_state(&host, "sessions.db", &secret[4..20])
    );
}

#[test]
fn excluded_and_forgotten_sessions_are_not_found() {
    let host = Sandbox::new();
    let secret = |lines: Vec<String>| -> Vec<String> {
        lines.into_iter().map(|line| line.replace("/home/ada/shop", "/home/ada/secret")).collect()
    };
    host.session(ONE, &with_a_rule(ONE));
    let mut wandering = vec![typed(TWO, 1, "open the shop")];
    wandering.extend(secret(vec![typed(TWO, 2, "the falcon deal is on")]));
    wandering.push(typed(TWO, 3, "close the shop"));
    host.session(TWO, &wandering);
    fs::write(
        host.path("claude/history.jsonl"),
        "{\"display\":\"ask about the falcon\",\"timestamp\":1,\"project\":\"/home/ada/secret\"}\n",
    )
    .unwrap();
    assert_eq!(sessions_found(&host, "falcon").len(), 2);
    host.set("privacy.exclude", &["/home/ada/secret"]);
    assert_eq!(sessions_found(&host, "falcon"), []);
    assert_eq!(sessions_found(&host, "shop"), [(TWO.to_owned(), vec![1, 3])]);
    host.set("privacy.exclude", &["/home/ada"]);
    assert_eq!(sessions_found(&host, "shop"), []);
    host.set("privacy.exclude", &[]);
    assert_eq!(sessions_found(&host, "falcon").len(), 2);
    forget::forget_session(&host.app(), TWO, now().timestamp()).unwrap();
    let app = host.app();
    assert_eq!(
        session_search::find(&app, &request("shop"), now().timestamp()).unwrap().sessions.len(),
        0,
        "at once"
    );
    assert_eq!(sessions_found(&host, "shop"), []);
    assert_eq!(sessions_found(&host, "migration").len(), 1);
}

#[test]
fn prompts_of_sessions_that_are_gone_are_found() {
    let host = Sandbox::new();
    host.session(ONE, &[typed(ONE, 1, "count the apples"), answered(ONE, 2, "Seven.")]);
    let line = |text: &str, at: i64, id: &str| {
        format!(
            "{{\"display\":\"{text}\",\"pastedContents\":{{}},\"timestamp\":{at},\"project\":\"/home/ada/shop\",\"sessionId\":\"{id}\"}}\n"
        )
    };
    let old =
        "{\"display\":\"count the plums\",\"timestamp\":1700000000000,\"project\":\"/home/ada/orchard\"}\n";
    let mut history =
        [line("count the apples", 1, ONE), line("count the pears", 2, TWO), old.to_owned()].concat();
    let path = host.path("claude/history.jsonl");
    fs::write(&path, &history).unwrap();
    assert_eq!(sessions_found(&host, "apples"), [(ONE.to_owned(), vec![1])], "once, in its transcript");
    let pears = look(&host, &request("pears")).sessions.remove(0);
    assert_eq!((pears.session.as_str(), pears.place), (TWO, SessionSource::Prompts));
    let plums = look(&host, &request("plums")).sessions.remove(0);
    assert_eq!((plums.session.as_str(), plums.project.as_str()), ("", "/home/ada/orchard"));
    history.push_str(&line("peel the pears", 3, TWO));
    fs::write(&path, &history).unwrap();
    assert_eq!(sessions_found(&host, "pears"), [(TWO.to_owned(), vec![2, 4])]);
    forget::forget_session(&host.app(), TWO, now().timestamp()).unwrap();
    assert_eq!(sessions_found(&host, "pears"), []);
    assert_eq!(sessions_found(&host, "plums").len(), 1);
    fs::remove_file(&path).unwrap();
    assert_eq!(sessions_found(&host, "plums"), []);
}

#[test]
fn sub_agent_s_words_are_found_in_its_session() {
    let host = Sandbox::new();
    host.session(ONE, &[typed(ONE, 1, "survey the coast"), answered(ONE, 2, "Done.")]);
    let folder = host.path(&format!("claude/projects/-home-ada-shop/{ONE}/subagents"));
    fs::create_dir_all(&folder).unwrap();
    let side = |line: String| line.replace("\"isSidechain\":false", "\"isSidechain\":true");
    let lines = [
        side(typed(ONE, 11, "measure the lighthouse")),
        side(answered(ONE, 12, "The lighthouse is 40 m high.")),
    ];
    fs::write(folder.join("agent-a77.jsonl"), lines.concat()).unwrap();
    let session = look(&host, &request("lighthouse")).sessions.remove(0);
    assert_eq!(session.session, ONE);
    assert_eq!(session.lines.iter().map(|line| line.agent.as_str()).collect::<Vec<_>>(), ["a77"]);
    let only_me = FindRequest { only_person: true, ..request("lighthouse") };
    assert_eq!(look(&host, &only_me).sessions.len(), 0, "the model said it");
    let read = reading::read_session(&host.app(), ONE).unwrap();
    assert_eq!(read.subagents.len(), 1);
    assert_eq!(
        (read.subagents[0].agent.as_str(), read.subagents[0].words.as_str()),
        ("a77", "The lighthouse is 40 m high.")
    );
    let inside = reading::read_subagent_at(&host.app(), ONE, "a77", None).unwrap();
    assert_eq!(inside.rows.len(), 1);
    let document =
        session_export::export_session(&host.app(), ONE, ExportForm::Markdown, &TimeZone::UTC).unwrap();
    assert!(
        document.text.contains("survey the coast") && document.text.contains("40 m high"),
        "{}",
        document.text
    );
    assert_eq!(document.name, "2026-03-01-survey-the-coast.md");
}

#[test]
fn scripts_without_blanks_are_found_by_any_part() {
    let host = Sandbox::new();
    host.session(ONE, &[typed(ONE, 1, "请不要直接修改数据库迁移文件"), answered(ONE, 2, "好的。")]);
    assert_eq!(sessions_found(&host, "数据库"), [(ONE.to_owned(), vec![1])]);
    assert_eq!(sessions_found(&host, "库据数"), []);
}

#[test]
fn exported_page_holds_no_markup_of_the_session() {
    let host = Sandbox::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let lines = [
        typed(ONE, 1, &format!("</p><script>alert(1)</script> with {}", &secret[..40])),
        answered(ONE, 2, "**Done**: <img src=x onerror=alert(1)> [here](javascript:alert(1))"),
    ];
    host.session(ONE, &lines);
    let page = session_export::export_session(&host.app(), ONE, ExportForm::Html, &TimeZone::UTC).unwrap();
    assert!(page.text.contains("<strong>Done</strong>"), "{}", page.text);
    for bad in ["<script", "<img", "href=\"javascript", &secret[..40]] {
        assert!(!page.text.contains(bad), "{bad}: {}", page.text);
    }
    assert_eq!(page.redacted, 1);
}

/// A copy keeps every byte; what is exported from it has no secret, as what is exported from the session itself.
#[test]
fn export_of_a_copy_has_no_secret() {
    let host = Sandbox::new();
    host.set("archive.sessions", &["true"]);
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let secret = &secret[..40];
    let path =
        host.session(ONE, &[typed(ONE, 1, &format!("log in with {secret}")), answered(ONE, 2, "Done.")]);
    archive::archive_sessions(&host.app(), &mut NoPause).unwrap().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(reading::read_session(&host.app(), ONE).unwrap().is_copy);
    for form in [ExportForm::Markdown, ExportForm::Html] {
        let page = session_export::export_session(&host.app(), ONE, form, &TimeZone::UTC).unwrap();
        assert!(page.text.contains("log in with") && !page.text.contains(secret), "{}", page.text);
        assert_eq!(page.redacted, 1);
    }
    let restored = archive::restore_session(&host.app(), ONE, None).unwrap();
    assert!(
        std::fs::read_to_string(&restored.files[0].path).unwrap().contains(secret),
        "the copy is as it was"
    );
}

#[test]
fn real_sessions_are_found_and_their_index_is_small() {
    let host = Sandbox::new();
    host.samples();
    let done = session_search::index_sessions(&host.app(), &mut NoPause).unwrap().unwrap();
    assert!(done.problems.is_empty() && done.changed > 10, "{done:?}");
    assert!(!sessions_found(&host, "test").is_empty());
}

#[test]
fn what_a_tool_answered_is_read_without_its_secrets() {
    let host = Sandbox::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let call = answered(ONE, 2, "x").replace(
        "{\"type\":\"text\",\"text\":\"x\"}",
        "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"Bash\",\"input\":{\"command\":\"env\"}}",
    );
    let result = typed(ONE, 3, "x").replace(
        "\"content\":\"x\"",
        &format!("\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\",\"content\":\"HOME=/home/ada\\nTOKEN={}\"}}]", &secret[..40]),
    );
    host.session(ONE, &[typed(ONE, 1, "show the environment"), call, result]);
    let read = reading::read_session(&host.app(), ONE).unwrap();
    let row = read.rows.iter().find(|row| row.call == "toolu_1").unwrap();
    let answer = reading::tool_result(&host.app(), ONE, "", &row.call, row.line).unwrap().unwrap();
    assert!(answer.text.starts_with("HOME=/home/ada\n"), "{}", answer.text);
    assert!(!answer.text.contains(&secret[..40]), "{}", answer.text);
    assert_eq!(reading::tool_result(&host.app(), ONE, "", "toolu_9", 1).unwrap(), None);
    assert!(Path::new(&read.transcript).is_file());
}
