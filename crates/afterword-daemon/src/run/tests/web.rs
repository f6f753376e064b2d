//! What sessions fetch from the web.

use super::test_agent::{TestAgent, answered, at, typed, with_a_rule};

const ID: &str = "5f0a0000-0000-4000-8000-000000000001";

fn fetched(number: usize, url: &str, code: u16, text: &str) -> String {
    let result = format!(
        "{{\"bytes\":9,\"code\":{code},\"codeText\":\"OK\",\"result\":\"{text}\",\"durationMs\":12,\"url\":\"{url}\"}}"
    );
    format!(
        "{{\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ada/shop\",\"sessionId\":\"{ID}\",\
         \"version\":\"2.1.197\",\"uuid\":\"00000009-0000-4000-8000-{number:012}\",\
         \"timestamp\":\"2026-03-01T09:30:00.000Z\",\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\
         [{{\"type\":\"tool_result\",\"tool_use_id\":\"t{number}\",\"content\":\"{text}\"}}]}},\
         \"toolUseResult\":{result}}}\n"
    )
}

#[test]
fn pages_are_cached_while_the_session_goes_on_and_filed_or_dropped_when_it_is_reflected() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:00:01");
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let lines = [
        fetched(10, "https://docs.example.org/migrations", 200, &format!("How to migrate. {secret}")),
        fetched(11, "https://noise.example.org/news", 200, "Nothing of interest."),
        fetched(12, "https://gone.example.org/", 404, "Not found."),
        answered(ID, 13, "According to https://docs.example.org/migrations a new file is right."),
    ];
    stage.append(&path, &lines, "10:01:00");
    stage.turn("10:01:01");
    let cached = stage.notes(".web-cache");
    assert_eq!(cached.len(), 2, "{cached:?}");
    let folder = stage.path("vault/Afterword/.web-cache");
    let texts: Vec<_> =
        cached.iter().map(|name| std::fs::read_to_string(folder.join(name)).unwrap()).collect();
    assert!(
        texts.iter().any(|text| text.contains("source_url:") && text.contains("fetched_at:")),
        "{texts:?}"
    );
    assert!(texts.iter().all(|text| !text.contains(&secret)), "{texts:?}");

    stage.turn("10:05:00");
    assert_eq!(stage.reflected(ID), 1);
    assert_eq!(stage.notes(".web-cache"), Vec::<String>::new());
    let topics = stage.notes("References");
    assert_eq!(topics.len(), 1, "{topics:?}");
    let kept = stage.notes(&format!("References/{}", topics[0]));
    assert_eq!(kept.len(), 1, "{kept:?}");
    let note =
        std::fs::read_to_string(stage.path(&format!("vault/Afterword/References/{}/{}", topics[0], kept[0])));
    let note = note.unwrap();
    assert!(note.contains("docs.example.org/migrations") && note.contains("How to migrate."), "{note}");
    let job = stage.store().jobs().recent(1).unwrap().remove(0);
    let log = stage.store().job_logs().of_job(job.id).unwrap().remove(0);
    assert!(log.transcript.contains("1 were filed and 1 dropped"), "{}", log.transcript);
}

#[test]
fn pages_of_a_session_that_no_agent_watched_are_found_all_the_same() {
    let mut stage = TestAgent::new();
    let mut lines = with_a_rule(ID);
    lines.push(fetched(10, "https://docs.example.org/x", 200, "The page."));
    lines.push(answered(ID, 11, "See docs.example.org/x for the rest."));
    let path = stage.session(ID, &lines, "10:00:00");
    stage.turn("10:10:00");
    assert_eq!(stage.notes("References").len(), 1);
    // The person deletes it; reflecting again does not bring it back.
    std::fs::remove_dir_all(stage.path("vault/Afterword/References")).unwrap();
    stage.append(&path, &[typed(ID, 12, "thanks"), answered(ID, 13, "Gladly.")], "11:00:00");
    let next = stage.turn("11:10:00");
    assert!(next > at("11:10:00"));
    assert_eq!((stage.reflected(ID), stage.notes("References").len()), (2, 0));
}
