//! `recall.model`: a larger model from a folder, and the job that gives the index its vectors.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use afterword_app::queue::Queue;
use afterword_app::{App, Environment, queue};
use afterword_core::JobId;
use afterword_testkit::{ChildGuard, until};
use jiff::Timestamp;
use serde_json::Value;

use crate::env::TestEnv;
use crate::running::start_agent;

const WORDS: [&str; 12] = [
    "server",
    "timeout",
    "upload",
    "parser",
    "clone",
    "merge",
    "colour",
    "theme",
    "migration",
    "schema",
    "release",
    "tests",
];

/// A static model as model2vec writes them, of 384 numbers for the words above; `seed` makes another one.
fn model(env: &TestEnv, name: &str, seed: u32) -> PathBuf {
    let folder = env.path(name);
    fs::create_dir_all(&folder).unwrap();
    let tokens = ["[PAD]", "[UNK]"].into_iter().chain(WORDS);
    let vocabulary: serde_json::Map<String, Value> =
        tokens.enumerate().map(|(number, token)| (token.to_owned(), number.into())).collect();
    let tokenizer = serde_json::json!({
        "normalizer": {"type": "BertNormalizer", "lowercase": true},
        "model": {"type": "WordPiece", "continuing_subword_prefix": "##", "vocab": vocabulary},
    });
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let rows = WORDS.len() + 2;
    let mut state = seed;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    let data: Vec<u8> = (0..rows * 384).flat_map(|_| number().to_le_bytes()).collect();
    let header = format!(
        "{{\"embeddings\":{{\"dtype\":\"F32\",\"shape\":[{rows},384],\"data_offsets\":[0,{}]}}}}",
        data.len()
    );
    let mut file = u64::try_from(header.len()).unwrap().to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend(data);
    fs::write(folder.join("model.safetensors"), file).unwrap();
    folder
}

/// A vault with so many notes, each of so many words, indexed.
fn with_notes(notes: usize, words: usize) -> TestEnv {
    let env = TestEnv::new();
    env.init();
    env.ok(&["config", "set", "heartbeat.enabled", "false"]);
    let folder = env.path("vault/Afterword/Fixes");
    fs::create_dir_all(&folder).unwrap();
    for number in 0..notes {
        let word = |at: usize| WORDS[(number * 7 + at * at) % WORDS.len()];
        let body: Vec<&str> = (0..words).map(word).collect();
        let text = format!("---\nkind: fix\ntitle: Note {number}\nstatus: active\n---\n{}\n", body.join(" "));
        fs::write(folder.join(format!("note-{number}.md")), text).unwrap();
    }
    env.ok(&["index", "rebuild"]);
    env
}

fn jobs(env: &TestEnv) -> Vec<Value> {
    let jobs = env.json(&["jobs"])["jobs"].as_array().unwrap().clone();
    jobs.into_iter().filter(|job| job["type"] == "maintenance").collect()
}

fn made_with(env: &TestEnv) -> String {
    env.json(&["index", "status"])["model"].as_str().unwrap().to_owned()
}

fn paths_and_scores(env: &TestEnv) -> Vec<(String, String)> {
    let found = env.json(&["search", "parser timeout"]);
    assert_eq!(found["mode"], "hybrid", "{found}");
    let results = found["results"].as_array().unwrap();
    results.iter().map(|hit| (hit["path"].to_string(), hit["score"].to_string())).collect()
}

#[test]
fn another_model_is_taken_into_use_by_a_job() {
    let env = with_notes(40, 20);
    let built_in = made_with(&env);
    let before = paths_and_scores(&env);
    let folder = model(&env, "models/large", 1);
    let told = env.run(&["config", "set", "recall.model", folder.to_str().unwrap()]);
    assert!(told.code == Some(0) && told.stderr.contains("searches go on with the model before"), "{told}");
    let waiting = jobs(&env);
    assert_eq!(
        (waiting.len(), &waiting[0]["status"], &waiting[0]["subject"]),
        (1, &"queued".into(), &"reembed".into())
    );
    assert_eq!(
        (made_with(&env), paths_and_scores(&env)),
        (built_in.clone(), before.clone()),
        "the old vectors search"
    );
    assert!(env.run(&["doctor"]).stdout.contains("a job waits that gives the index the vectors"));
    env.ok(&["config", "set", "recall.model", folder.to_str().unwrap()]);
    assert_eq!(jobs(&env).len(), 1, "one job is enough");

    let running = start_agent(&env);
    until("the index has the new vectors", || made_with(&env).starts_with("large-384-i8/"));
    until("the job is done", || jobs(&env)[0]["status"] == "completed");
    let done = &jobs(&env)[0];
    assert_eq!((&done["result"]["notes"], &done["progress"]), (&40.into(), &1.0.into()), "{done}");
    assert_ne!(paths_and_scores(&env), before);
    assert!(env.run(&["doctor"]).stdout.contains("ok    search model       "), "{}", env.run(&["doctor"]));

    // A note that is new is found by the model in use, and the way back is a job too.
    fs::write(env.path("vault/Afterword/Fixes/new.md"), "---\nkind: fix\ntitle: New\n---\nparser timeout\n")
        .unwrap();
    assert!(paths_and_scores(&env)[0].0.contains("new.md"));
    env.ok(&["config", "set", "recall.model", "built-in"]);
    until("the old vectors are back", || made_with(&env) == built_in);
    until("the second job is done", || jobs(&env)[0]["status"] == "completed");
    assert_eq!(jobs(&env).len(), 2);
    assert_eq!(fs::read_dir(env.path("afterword/cache/models")).unwrap().count(), 0, "nobody needs it");
    drop(running);
}

/// An agent that gives a large index the vectors of another model.
struct Taking {
    env: TestEnv,
    /// What the index was made with before.
    built_in: String,
    /// The model.
    folder: PathBuf,
    /// The agent, in the midst of its work.
    running: ChildGuard,
    /// The job, and the queue it is in: no time is to be lost on another process.
    job: JobId,
    queue: Queue,
}

fn taking_a_model_into_use() -> Taking {
    let env = with_notes(1200, 200);
    let built_in = made_with(&env);
    let folder = model(&env, "models/large", 1);
    env.ok(&["config", "set", "recall.model", folder.to_str().unwrap()]);
    let running = start_agent(&env);
    let (queue, job) = in_its_midst(&env);
    Taking { env, built_in, folder, running, job, queue }
}

/// Waits until the job has done a part of its work.
fn in_its_midst(env: &TestEnv) -> (Queue, JobId) {
    let environment = Environment { afterword_home: Some(env.path("afterword")), ..Environment::default() };
    let environment = Environment { claude_config_dir: Some(env.path("claude")), ..environment };
    let queue = queue::queue(&App::new(environment).unwrap()).unwrap();
    let deadline = Instant::now() + Duration::from_secs(180);
    loop {
        let job = queue.recent(1).unwrap().remove(0);
        let done = job.progress;
        assert!(Instant::now() < deadline && done < 1.0, "not met in its midst: {done}");
        if done > 0.0 {
            return (queue, job.id);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn cancelled_in_its_midst_it_leaves_the_old_vectors_and_is_not_begun_again_unasked() {
    let Taking { env, built_in, folder, running, job, queue } = taking_a_model_into_use();
    queue.cancel(job, Timestamp::now()).unwrap();
    until("it stops", || jobs(&env)[0]["status"] == "cancelled");
    drop(running);
    let _second = start_agent(&env);
    until("the agent is at work", || env.json(&["status"])["agent"]["state"].is_string());
    assert_eq!((made_with(&env), jobs(&env).len()), (built_in, 1));
    assert_eq!(paths_and_scores(&env).len(), 10);
    env.ok(&["config", "set", "recall.model", folder.to_str().unwrap()]);
    until("asked again, it is done", || made_with(&env).starts_with("large-384-i8/"));
}

#[test]
fn killed_in_its_midst_the_job_is_gone_on_with_and_done_once() {
    let Taking { env, built_in, running, .. } = taking_a_model_into_use();
    running.kill();
    assert_eq!(made_with(&env), built_in);
    assert_eq!(paths_and_scores(&env).len(), 10, "the old vectors search");
    let _second = start_agent(&env);
    until("the index has the new vectors", || made_with(&env).starts_with("large-384-i8/"));
    until("the job is done", || jobs(&env)[0]["status"] == "completed");
    let ended = jobs(&env);
    assert_eq!((ended.len(), &ended[0]["result"]["notes"]), (1, &1200.into()), "{ended:?}");
    let (gone_on, whole) = (paths_and_scores(&env), {
        env.ok(&["index", "rebuild"]);
        paths_and_scores(&env)
    });
    assert_eq!(gone_on, whole, "as if it had never been killed");
}

#[test]
fn a_folder_without_a_model_is_refused_and_one_that_went_bad_is_told() {
    let env = with_notes(3, 20);
    let nowhere = env.path("nowhere");
    let told = env.run(&["config", "set", "recall.model", nowhere.to_str().unwrap()]);
    assert_eq!(told.code, Some(1), "{told}");
    assert!(told.stderr.contains("/nowhere/tokenizer.json") && told.stderr.contains("potion"), "{told}");
    assert_eq!(env.ok(&["config", "get", "recall.model"]), "built-in\n");
    let told = env.run(&["config", "set", "recall.model", "large"]);
    assert!(told.code == Some(1) && told.stderr.contains("absolute path"), "{told}");

    let folder = model(&env, "models/large", 1);
    env.ok(&["config", "set", "recall.model", folder.to_str().unwrap()]);
    let table = folder.join("model.safetensors");
    let whole = fs::read(&table).unwrap();
    fs::write(&table, &whole[..whole.len() - 4]).unwrap();
    let _running = start_agent(&env);
    until("the job fails", || jobs(&env)[0]["status"] == "failed");
    assert!(jobs(&env)[0]["reason"].as_str().unwrap().contains("model.safetensors"), "{:?}", jobs(&env));
    assert!(!paths_and_scores(&env).is_empty(), "the built-in model searches");
    let told = env.run(&["doctor"]);
    assert!(told.code == Some(1) && told.stdout.contains("fail  search model"), "{told}");
    let rebuilt = env.run(&["index", "rebuild"]);
    assert!(rebuilt.stderr.contains("the built-in model searches"), "{rebuilt}");

    fs::write(&table, whole).unwrap();
    let failed = jobs(&env)[0]["job_id"].as_str().unwrap().to_owned();
    env.ok(&["jobs", "retry", &failed]);
    until("the index has the new vectors", || made_with(&env).starts_with("large-384-i8/"));
}

#[test]
fn a_kept_model_that_is_damaged_leaves_words_and_a_reason() {
    let env = with_notes(3, 20);
    let folder = model(&env, "models/large", 1);
    env.ok(&["config", "set", "recall.model", folder.to_str().unwrap()]);
    env.ok(&["index", "rebuild"]);
    assert!(made_with(&env).starts_with("large-384-i8/"));
    for kept in fs::read_dir(env.path("afterword/cache/models")).unwrap() {
        fs::write(kept.unwrap().path(), "{}").unwrap();
    }
    // Whoever searches makes the index anew with what is there, and a job brings the chosen model back.
    assert!(!paths_and_scores(&env).is_empty());
    assert!(made_with(&env).starts_with("lesson-static-256"));
    let _running = start_agent(&env);
    until("the index has the chosen vectors again", || made_with(&env).starts_with("large-384-i8/"));
}
