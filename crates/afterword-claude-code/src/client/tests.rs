//! The client in stand-in scripts: limits, groups, and what its output may be.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
#[cfg(target_os = "linux")]
use std::time::Instant;

use super::*;

/// Far longer than anything here takes, and far shorter than what sleeps here.
const PATIENCE: Duration = Duration::from_secs(120);

/// The lines the real client (2.1.197) printed, cut short.
const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"23eee9ae-9dc5-4bae-a960-31e473eef233","mcp_servers":[{"name":"mail","status":"needs-auth"}]}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"{}","session_id":"23eee9ae-9dc5-4bae-a960-31e473eef233","total_cost_usd":0.00123,"usage":{"input_tokens":116,"cache_creation_input_tokens":1,"cache_read_input_tokens":2,"output_tokens":26},"permission_denials":[{"tool_name":"Bash"}],"structured_output":{"complete":true}}"#;
const GONE: &str = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":0,"session_id":"9ec243be-6281-4ecd-9803-cd7c5795abc5","total_cost_usd":0,"errors":["No conversation found with session ID: 9ec243be-6281-4ecd-9803-cd7c5795abc5"]}"#;

const HELP: &str = "--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --resume --session-id \
    --no-session-persistence --allowedTools --mcp-config --max-budget-usd --safe-mode --settings --permission-mode";

/// A stand-in for the client: a script that knows `--help` and otherwise does `body`.
fn stand_in(home: &Path, body: &str) -> Client {
    let path = home.join("claude");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --help ]; then echo '{HELP}'; exit 0; fi\ncd '{}'\n{body}\n",
        home.display()
    );
    program(&path, &text);
    Client::new(path).with_environment(vec![("PATH".into(), "/usr/bin:/bin".into())])
}

/// Writes a program. Another process copies it to its place: one that a test beside this one starts just now would have the
/// file open for writing for a moment, and such a file cannot be run (ETXTBSY).
fn program(path: &Path, text: &str) {
    let draft = path.with_extension("draft");
    fs::write(&draft, text).unwrap();
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Command::new("cp").arg(&draft).arg(path).status().unwrap().success());
}

fn ask<'a>(directory: &'a Path, session: SessionUse) -> Ask<'a> {
    Ask {
        instructions: None,
        prompt: "what is new?",
        directory,
        session,
        schema: Some("{}"),
        allowed_tools: &[],
        tool_servers: None,
        model: None,
        effort: None,
        most_usd: Some(0.5),
        limit: PATIENCE,
    }
}

fn id(text: &str) -> SessionId {
    SessionId::parse(text).unwrap()
}

/// Instructions go into a file where the client takes one, which is gone afterwards, and else before the prompt.
#[test]
fn instructions_are_no_argument_and_leave_no_file() {
    let body = format!(
        "cat > input; echo \"$@\" > arguments\nwhile [ $# -gt 0 ]; do [ \"$1\" = --system-prompt-file ] && cat \"$2\" > told; shift; done\necho '{RESULT}'"
    );
    for takes_a_file in [true, false] {
        let home = tempfile::tempdir().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let client = stand_in(home.path(), &body);
        if takes_a_file {
            let text = fs::read_to_string(client.binary()).unwrap();
            program(
                client.binary(),
                &text.replace(HELP, &format!("{HELP} --effort via --system-prompt[-file]")),
            );
        }
        let instructions = "Say what is new.";
        let asked = Ask {
            instructions: Some(instructions),
            effort: Some("medium"),
            ..ask(directory.path(), SessionUse::None)
        };
        client.ask(&asked, &mut NoObserver).unwrap();
        let read = |name: &str| fs::read_to_string(home.path().join(name)).unwrap_or_default();
        let arguments = read("arguments");
        assert!(!arguments.contains("Say what"), "{arguments}");
        let (input, told) = if takes_a_file {
            ("what is new?".to_owned(), instructions)
        } else {
            (format!("{instructions}\n\nwhat is new?"), "")
        };
        assert_eq!((read("input"), read("told").as_str()), (input, told), "{arguments}");
        assert_eq!(arguments.contains("--effort medium"), takes_a_file, "{arguments}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "the file is gone");
    }
}

#[test]
fn answer_is_read() {
    let home = tempfile::tempdir().unwrap();
    let body = format!(
        "cat > input; echo \"$@\" > arguments; env > environment\necho '{INIT}'\necho 'no json'\necho '{RESULT}'"
    );
    let client = stand_in(home.path(), &body).with_variable("ANTHROPIC_BASE_URL", "http://127.0.0.1:1");
    let reply = client.ask(&ask(home.path(), SessionUse::New(id("x"))), &mut NoObserver).unwrap();
    assert_eq!(reply.structured, Some(serde_json::json!({"complete": true})));
    assert_eq!(reply.session, Some(id("23eee9ae-9dc5-4bae-a960-31e473eef233")));
    assert_eq!(reply.cost, Cost { usd: 0.00123, input_tokens: 119, output_tokens: 26, turns: 2 });
    assert_eq!(reply.tool_servers, [("mail".to_owned(), "needs-auth".to_owned())]);
    assert_eq!(reply.denied, ["Bash"]);
    let read = |name: &str| fs::read_to_string(home.path().join(name)).unwrap();
    assert_eq!(read("input"), "what is new?");
    let arguments = read("arguments");
    assert!(!arguments.contains("what is new"), "{arguments}");
    assert!(arguments.contains("--safe-mode") && !arguments.contains("--no-chrome"), "{arguments}");
    assert!(arguments.contains("--setting-sources user"), "{arguments}");
    assert!(arguments.contains("--session-id x") && arguments.contains("--max-budget-usd 0.5000"));
    let environment = read("environment");
    assert!(environment.contains("AFTERWORD_OWN_RUN=1") && environment.contains("ANTHROPIC_BASE_URL"));
    assert!(!environment.contains("CARGO"), "nothing of this process's: {environment}");
}

/// The client's safe mode would leave out the tool servers as well.
#[test]
fn tool_servers_come_without_safe_mode_and_without_hooks() {
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), &format!("cat > input; echo \"$@\" > arguments; echo '{RESULT}'"));
    let servers = home.path().join("servers.json");
    let ask = Ask { tool_servers: Some(&servers), ..ask(home.path(), SessionUse::None) };
    client.ask(&ask, &mut NoObserver).unwrap();
    let arguments = fs::read_to_string(home.path().join("arguments")).unwrap();
    assert!(arguments.contains("--mcp-config") && !arguments.contains("--safe-mode"), "{arguments}");
    assert!(arguments.contains(r#"--settings {"disableAllHooks":true}"#), "{arguments}");
    assert!(arguments.contains("--setting-sources user"), "{arguments}");
}

#[test]
fn session_that_is_gone_is_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), &format!("echo '{GONE}'; exit 1"));
    let resume = SessionUse::Resume(id("9ec243be-6281-4ecd-9803-cd7c5795abc5"));
    let error = client.ask(&ask(home.path(), resume), &mut NoObserver).unwrap_err();
    assert!(matches!(error, ClientError::SessionGone { .. }), "{error}");
    let error = client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
    assert!(matches!(error, ClientError::Failed { .. }), "{error}");
}

#[test]
fn what_passes_is_told_apart() {
    let home = tempfile::tempdir().unwrap();
    // As 2.1.197 printed them: nobody signed in, 429, 529, 400.
    let said = |error: &str, status: &str, result: &str| {
        format!(
            r#"echo '{{"type":"assistant","error":"{error}","message":{{}}}}'; echo '{{"type":"result","subtype":"success","is_error":true,"api_error_status":{status},"result":"{result}"}}'; exit 1"#
        )
    };
    let signed_out = "Not logged in · Please run /login";
    for (error, status, result, passes) in [
        ("authentication_failed", "null", signed_out, true),
        ("rate_limit", "429", "API Error: Request rejected (429) · made up", true),
        ("server_error", "null", "API Error: Repeated 529 Overloaded errors.", true),
        ("unknown", "529", "API Error: 529", true),
        ("unknown", "400", "API Error: 400 made up", false),
    ] {
        let client = stand_in(home.path(), &said(error, status, result));
        let told = client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
        assert_eq!(matches!(told, ClientError::Unavailable { .. }), passes, "{told}");
        assert!(told.to_string().ends_with(result) && told.is_about_the_client() == passes, "{told}");
    }
}

/// As the client words a refusal, with the requests it was refused in.
#[test]
fn refusal_is_told_in_its_words_and_not_by_request_ids() {
    let home = tempfile::tempdir().unwrap();
    let mut refused: serde_json::Value = serde_json::from_str(RESULT).unwrap();
    refused["is_error"] = true.into();
    refused["structured_output"] = serde_json::Value::Null;
    refused["result"] = "API Error: Claude Code is unable to respond to this request, which appears to violate the Usage Policy.\n\n\
        Start a new session for another task.\n\nRequest ID: req_011A\nRequest ID: req_011B\nRequest ID: req_011C"
        .into();
    fs::write(home.path().join("refused"), format!("{refused}\n")).unwrap();
    let client = stand_in(home.path(), "cat refused");
    let error = client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err().to_string();
    assert!(error.contains("violate the Usage Policy. Start a new session"), "{error}");
    assert!(!error.contains("req_"), "{error}");
}

#[test]
fn words_of_a_model_are_no_reason_of_a_client_that_ended_badly() {
    let home = tempfile::tempdir().unwrap();
    let mut answered: serde_json::Value = serde_json::from_str(RESULT).unwrap();
    answered["result"] = "The plum is ripe.".into();
    fs::write(home.path().join("answered"), format!("{answered}\n")).unwrap();
    for (complaint, expected) in [("", "exit status: 3"), ("echo 'no disk' >&2; ", "no disk")] {
        let client = stand_in(home.path(), &format!("cat answered; {complaint}exit 3"));
        let error = client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
        assert!(matches!(error, ClientError::Failed { .. }), "{error}");
        assert_eq!(error.to_string(), format!("Claude Code failed: {expected}"));
    }
}

#[test]
fn client_that_dies_says_why() {
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), "echo 'Error: Session ID x is already in use.' >&2; exit 1");
    let error = client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
    assert_eq!(error.to_string(), "Claude Code failed: Error: Session ID x is already in use.");
    let silent = stand_in(home.path(), "kill -9 $$");
    let error = silent.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
    assert!(error.to_string().contains("ended without an answer"), "{error}");
    let missing = Client::new(home.path().join("nothing"));
    let error = missing.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
    assert!(matches!(error, ClientError::Start { .. }) && error.is_lasting(), "{error}");
}

/// Waits until the process whose number is in the file is gone: the system takes a moment to carry a signal out.
#[cfg(target_os = "linux")]
fn is_gone(home: &Path, file: &str) -> bool {
    let number = fs::read_to_string(home.join(file)).unwrap();
    let clock = Instant::now();
    loop {
        let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return true;
        }
        if clock.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn limit_ends_it_and_all_it_started() {
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), "sleep 600 & echo $! > inner; echo $$ > outer; wait");
    // On a machine under load it may be over before the script has begun: then it gets longer.
    for seconds in [1, 4, 16, 64] {
        let ask = Ask { limit: Duration::from_secs(seconds), ..ask(home.path(), SessionUse::None) };
        let clock = Instant::now();
        let error = client.ask(&ask, &mut NoObserver).unwrap_err();
        assert!(matches!(error, ClientError::TooLong { .. }), "{error}");
        assert!(clock.elapsed() < ask.limit + PATIENCE);
        if fs::read_to_string(home.path().join("outer")).is_ok_and(|number| number.ends_with('\n')) {
            break;
        }
    }
    assert!(is_gone(home.path(), "outer") && is_gone(home.path(), "inner"));
}

#[test]
#[cfg(target_os = "linux")]
fn what_it_leaves_behind_ends_with_it() {
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), &format!("sleep 600 & echo $! > inner; echo '{RESULT}'"));
    let clock = Instant::now();
    client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap();
    assert!(clock.elapsed() < PATIENCE, "its pipe does not hold us up");
    assert!(is_gone(home.path(), "inner"));
}

#[test]
#[cfg(target_os = "linux")]
fn follower_sees_the_process_and_stops_it() {
    struct Stopper(Option<u32>);
    impl Follower for Stopper {
        fn on_start(&mut self, process: u32) {
            self.0 = Some(process);
        }
        fn stop(&mut self) -> bool {
            self.0.is_some()
        }
    }
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), "sleep 600");
    let mut stopper = Stopper(None);
    // The help is asked for first, without the follower.
    let error = client.ask(&ask(home.path(), SessionUse::None), &mut stopper).unwrap_err();
    assert!(matches!(error, ClientError::Interrupted { .. }), "{error}");
    assert!(!fs::exists(format!("/proc/{}", stopper.0.unwrap())).unwrap());
}

/// What a message took, as both clients print it: once for each of its blocks.
const MESSAGE: &str = r#"{"type":"assistant","message":{"id":"msg_1","model":"claude-sonnet-4-5","usage":{"input_tokens":1000,"cache_creation_input_tokens":400,"cache_read_input_tokens":5000,"output_tokens":100}}}"#;

#[test]
fn a_run_that_is_ended_costs_what_its_messages_took() {
    struct Until(std::path::PathBuf);
    impl Follower for Until {
        fn stop(&mut self) -> bool {
            self.0.exists()
        }
    }
    // (1000 + 1.25 * 400 + 0.1 * 5000) * $3 and 100 * $15 for a million.
    let taken = Cost { usd: 0.0075, input_tokens: 6_400, output_tokens: 100, turns: 1 };
    let own = RESULT.replace("0.00123", "0.5");
    for (last, cost) in
        [("", taken), (own.as_str(), Cost { usd: 0.5, input_tokens: 119, output_tokens: 26, turns: 2 })]
    {
        let home = tempfile::tempdir().unwrap();
        let body = format!("echo '{MESSAGE}'; echo '{MESSAGE}'; echo '{last}'; touch printed; sleep 600");
        let client = stand_in(home.path(), &body);
        let mut until = Until(home.path().join("printed"));
        let error = client.ask(&ask(home.path(), SessionUse::None), &mut until).unwrap_err();
        assert!(matches!(error, ClientError::Interrupted { .. }), "{error}");
        assert!((error.cost().usd - cost.usd).abs() < 1e-9, "{:?}", error.cost());
        assert_eq!(Cost { usd: 0.0, ..error.cost() }, Cost { usd: 0.0, ..cost });
    }
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), &format!("echo '{MESSAGE}'; kill -9 $$"));
    let error = client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
    assert!((error.cost().usd - 0.0075).abs() < 1e-9, "of one that died as well: {error}");
}

#[test]
fn a_run_that_goes_on_with_a_session_costs_its_own_part() {
    // As 2.1.330 ends a resumed run: the total is the whole session's.
    let own = r#"{"type":"result","subtype":"success","result":"ok","session_id":"s","total_cost_usd":2.54,"num_turns":1,"usage":{"input_tokens":10,"output_tokens":1},
        "model_usage_since_last_result":{"claude-sonnet-4-5":{"inputTokens":10,"costUSD":0.2},"claude-haiku-4-5":{"costUSD":0.25}}}"#;
    let home = tempfile::tempdir().unwrap();
    let client = stand_in(home.path(), &format!("echo '{MESSAGE}'; echo '{}'", own.replace('\n', "")));
    let reply = client.ask(&ask(home.path(), SessionUse::Resume(id("s"))), &mut NoObserver).unwrap();
    assert!((reply.cost.usd - 0.45).abs() < 1e-9, "{:?}", reply.cost);
    assert_eq!(reply.model, "claude-sonnet-4-5");
}

#[test]
fn client_without_what_is_needed_is_too_old() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("claude");
    program(&path, "#!/bin/sh\necho '--print --output-format'\n");
    let error = Client::new(path).ask(&ask(home.path(), SessionUse::None), &mut NoObserver).unwrap_err();
    assert!(matches!(error, ClientError::TooOld { option: "--tools", .. }), "{error}");
}

#[test]
fn endless_line_is_cut() {
    let home = tempfile::tempdir().unwrap();
    let body = format!("head -c 20000000 /dev/zero | tr '\\0' x; echo; echo '{RESULT}'");
    let client = stand_in(home.path(), &body);
    assert!(client.ask(&ask(home.path(), SessionUse::None), &mut NoObserver).is_ok());
}

#[test]
fn found_in_the_path() {
    let home = tempfile::tempdir().unwrap();
    stand_in(home.path(), "");
    let path = std::env::join_paths([Path::new("relative"), home.path()]).unwrap();
    let found = Client::find(Some(&path), None).unwrap();
    assert_eq!(found.binary(), home.path().join("claude"));
}
