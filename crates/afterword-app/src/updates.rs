//! Whether a newer version is published, for who wants that looked up: one request, at most once a day.
//!
//! Owns the request and what is remembered of its answer. Nothing but an address is asked for: no id, no version, no query. Nothing
//! is downloaded and nothing installed. Start at [`check`].

use std::path::Path;
use std::time::Duration;

use afterword_core::hidden::escape_hidden;
use afterword_platform::files::{create_private_directory, replace_file};
use afterword_reflect::engine::is_local;
use jiff::{SignedDuration, Timestamp};
use semver::Version;
use serde::{Deserialize, Serialize};

use crate::App;
use crate::health::Check;
use crate::log::OrLog as _;

/// The repository this is built from; empty where the package names none.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
/// Below a repository, the file of its latest release that says which one it is.
const LATEST: &str = "releases/latest/download/latest.json";
/// Where it is remembered, in the state directory.
const FILE: &str = "updates.json";
/// How long an answer holds, and how long nobody is asked again who did not answer.
const A_DAY: SignedDuration = SignedDuration::from_hours(24);
/// How long an answer is waited for.
const LIMIT: Duration = Duration::from_secs(10);
/// Longest answer read, in bytes.
const MOST: u64 = 64 << 10;
/// A release's file lies elsewhere than its page.
const REDIRECTS: u32 = 4;
/// Longest part shown of what went wrong, in characters.
const PROBLEM: usize = 200;

/// What is published: the file at the address.
#[derive(Deserialize)]
struct Announcement {
    version: String,
}

/// What was answered, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct CachedAnswer {
    at: Timestamp,
    address: String,
    answer: Answer,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Latest(Version),
    Problem(String),
}

/// What is said of a newer version; nothing where none is to be looked for.
pub(crate) fn check(app: &App, now: Timestamp) -> Option<Check> {
    const NAME: &str = "updates";
    let config = &app.config.updates;
    if !config.check {
        return None;
    }
    let Some(address) = config.address.clone().or_else(|| address_below(REPOSITORY)) else {
        return Some(Check::warn(
            NAME,
            "nobody is asked: this build does not know where its releases are",
            "name the place with `afterword config set updates.address URL`, or stop looking with `afterword config set updates.check false`",
        ));
    };
    let answer = cached_answer(&app.paths.state, &address, now).unwrap_or_else(|| {
        let answer = ask(&address).map_or_else(Answer::Problem, Answer::Latest);
        remember(
            &app.paths.state,
            &CachedAnswer { at: now, address: address.clone(), answer: answer.clone() },
        );
        answer
    });
    let own = Version::parse(env!("CARGO_PKG_VERSION")).ok()?;
    Some(match answer {
        Answer::Latest(latest) if latest > own => {
            let message = format!("version {latest} is there; this is {own}");
            Check::warn(NAME, message, "get it the way this one was installed")
        }
        Answer::Latest(_) => Check::ok(NAME, format!("{own} is the latest version")),
        Answer::Problem(problem) => Check::warn(
            NAME,
            format!("{} does not say which version is the latest: {problem}", escape_hidden(&address)),
            "it is asked again tomorrow; `afterword config set updates.check false` stops it",
        ),
    })
}

/// Where a repository says which release is its latest.
fn address_below(repository: &str) -> Option<String> {
    let repository = repository.trim_end_matches('/');
    (!repository.is_empty()).then(|| format!("{repository}/{LATEST}"))
}

/// What the address answered within the last day.
fn cached_answer(state: &Path, address: &str, now: Timestamp) -> Option<Answer> {
    let bytes = std::fs::read(state.join(FILE)).ok()?;
    // What cannot be read is asked for again.
    let answered: CachedAnswer = serde_json::from_slice(&bytes).ok()?;
    let age = now.duration_since(answered.at);
    let holds = answered.address == address && !age.is_negative() && age < A_DAY;
    holds.then_some(answered.answer)
}

fn remember(state: &Path, answered: &CachedAnswer) {
    let Ok(text) = serde_json::to_string(answered) else { return };
    create_private_directory(state)
        .and_then(|()| replace_file(&state.join(FILE), text.as_bytes()))
        .or_log("remembering which version is the latest");
}

/// Asks which version is the latest. What goes wrong is told in a sentence's end.
fn ask(address: &str) -> Result<Version, String> {
    let own_machine = is_local(address);
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(LIMIT))
        .https_only(!own_machine)
        .max_redirects(if own_machine { 0 } else { REDIRECTS })
        .proxy(if own_machine { None } else { ureq::Proxy::try_from_env() })
        // Which version asks is nobody's concern.
        .user_agent("afterword")
        .build()
        .into();
    let answer = agent.get(address).call().map_err(|error| shortened(&error.to_string()))?;
    let text = answer.into_body().into_with_config().limit(MOST).read_to_string();
    let text = text.map_err(|error| shortened(&error.to_string()))?;
    let announced: Announcement =
        serde_json::from_str(&text).map_err(|error| shortened(&format!("no announcement: {error}")))?;
    Version::parse(&announced.version).map_err(|error| shortened(&format!("no version: {error}")))
}

fn shortened(problem: &str) -> String {
    escape_hidden(problem).chars().take(PROBLEM).collect()
}

#[cfg(test)]
mod tests {
    use afterword_testkit::provider::{Provider, Response};
    use afterword_testkit::{Sandbox, now};

    use super::*;
    use crate::ConfigFile;
    use crate::health::Verdict;

    const TOMORROW: SignedDuration = SignedDuration::from_hours(25);

    fn app(sandbox: &Sandbox, settings: &[(&str, &str)]) -> App {
        let paths = sandbox.paths();
        for (key, value) in settings {
            let file = ConfigFile::new(&paths.config_file, None);
            file.set(key, &[(*value).to_owned()]).unwrap();
        }
        App::new(sandbox.environment()).unwrap()
    }

    fn announcing(response: Response) -> Provider {
        Provider::saying(vec![response])
    }

    fn latest(version: &str) -> Provider {
        announcing((200, "", format!("{{\"version\": \"{version}\"}}")))
    }

    #[test]
    fn nobody_is_asked_unless_that_is_wanted() {
        let (sandbox, server) = (Sandbox::empty(), latest("99.0.0"));
        let app = app(&sandbox, &[("updates.address", &server.address)]);
        assert_eq!(check(&app, now().timestamp()), None);
        assert_eq!(server.received(), Vec::<String>::new());
    }

    #[test]
    fn one_request_a_day_that_says_nothing_of_who_asks() {
        let (sandbox, server) = (Sandbox::empty(), latest("99.0.0"));
        let address = format!("{}/latest.json", server.address);
        let app = app(&sandbox, &[("updates.check", "true"), ("updates.address", &address)]);
        let now = now().timestamp();
        for _ in 0..3 {
            let said = check(&app, now).unwrap();
            assert_eq!(
                (said.verdict, said.message.contains("99.0.0 is there")),
                (Verdict::Warn, true),
                "{said:?}"
            );
        }
        let [request] = &server.received()[..] else { panic!("one request: {:?}", server.received()) };
        let (first, rest) = request.split_once("\r\n").unwrap();
        assert_eq!(first, "GET /latest.json HTTP/1.1");
        let (headers, body) = rest.split_once("\r\n\r\n").unwrap_or((rest, ""));
        for header in headers.lines().filter(|line| !line.is_empty()) {
            let (name, value) = header.split_once(':').unwrap();
            let known =
                ["host", "accept", "accept-encoding", "user-agent"].contains(&name.to_lowercase().as_str());
            assert!(known && !value.contains(env!("CARGO_PKG_VERSION")), "{header}");
        }
        assert_eq!(body, "");
        check(&app, now + TOMORROW).unwrap();
        assert_eq!(server.received().len(), 2, "an answer holds for a day");
    }

    #[test]
    fn the_latest_and_what_is_older_is_no_news() {
        for version in [env!("CARGO_PKG_VERSION"), "0.0.1", "0.1.0-rc.1"] {
            let (sandbox, server) = (Sandbox::empty(), latest(version));
            let app = app(&sandbox, &[("updates.check", "true"), ("updates.address", &server.address)]);
            let said = check(&app, now().timestamp()).unwrap();
            assert_eq!(said.verdict, Verdict::Ok, "{said:?}");
        }
    }

    #[test]
    fn whoever_answers_nonsense_is_left_alone_for_a_day() {
        let long = format!("{{\"version\": \"{}\"}}", "9".repeat(100_000));
        for response in [(404, "", "gone".to_owned()), (200, "", "<html>".to_owned()), (200, "", long)] {
            let (sandbox, server) = (Sandbox::empty(), announcing(response));
            let app = app(&sandbox, &[("updates.check", "true"), ("updates.address", &server.address)]);
            for _ in 0..2 {
                let said = check(&app, now().timestamp()).unwrap();
                assert!(said.verdict == Verdict::Warn && said.message.len() < 600, "{said:?}");
                assert!(said.message.contains("does not say which version"), "{said:?}");
            }
            assert_eq!(server.received().len(), 1);
        }
    }

    #[test]
    fn another_place_is_asked_by_https_alone() {
        let problem = ask("http://example.com/latest.json").unwrap_err();
        assert!(problem.to_lowercase().contains("https"), "{problem}");
    }

    #[test]
    fn a_build_without_a_place_says_so() {
        assert_eq!(address_below(""), None);
        let expected = "https://github.com/o/n/releases/latest/download/latest.json";
        assert_eq!(address_below("https://github.com/o/n/").as_deref(), Some(expected));
        if REPOSITORY.is_empty() {
            let sandbox = Sandbox::empty();
            let said = check(&app(&sandbox, &[("updates.check", "true")]), now().timestamp()).unwrap();
            assert!(said.message.contains("does not know where its releases are"), "{said:?}");
        }
    }
}
