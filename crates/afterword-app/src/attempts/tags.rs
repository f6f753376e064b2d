//! What a task is about, in a few words: its topics, by the words people use for them, and the technologies it names.
//!
//! Whole words count, and the words inside identifiers; `latest` is no test and `author` no authentication.

use std::collections::HashSet;

use afterword_recall::identifiers;

/// Tags of one text, at most.
const MOST: usize = 8;

/// A topic and the words that speak of it; a word that ends in `*` is the beginning of one.
const TOPICS: [(&str, &str); 26] = [
    (
        "authentication",
        "auth oauth oauth2 oidc login logins logout signin signup password* credential* authenticat* authoriz* authoris* jwt sso saml session-cookie",
    ),
    (
        "testing",
        "test tests tested testing unittest* e2e assert* fixture* mock mocks mocked mocking flaky coverage pytest jest vitest nextest snapshot-test",
    ),
    (
        "debugging",
        "bug bugs buggy debug* error errors fix fixes fixed fixing crash* broken breaks failing fails failure* panic* exception* traceback* stacktrace* regression* segfault* reproduc* hang hangs",
    ),
    (
        "refactoring",
        "refactor* restructur* simplif* dedup* decoupl* cleanup extract rename* renaming reorganis* reorganiz*",
    ),
    (
        "performance",
        "performan* slow slower speed* faster latency throughput optimis* optimiz* profil* bottleneck* benchmark*",
    ),
    (
        "database",
        "database* sql sqlite postgres* mysql mariadb schema* migration* migrate* query queries index* orm",
    ),
    (
        "concurrency",
        "concurren* deadlock* mutex* thread* race races racy async await parallel* lock locks locking semaphore*",
    ),
    (
        "networking",
        "network* http https socket* proxy proxies dns tcp udp websocket* timeout* tls ssl retry retries",
    ),
    ("api", "api apis endpoint* rest graphql grpc rpc openapi webhook*"),
    (
        "parsing",
        "parse parses parser* parsing lexer* tokeni* csv json yaml toml xml regex* deseriali* seriali*",
    ),
    (
        "security",
        "security vulnerab* secret secrets injection xss csrf sanitis* sanitiz* encrypt* cve permission*",
    ),
    (
        "ui",
        "ui ux button* layout* css style* styling component* modal* dialog* frontend theme* responsive accessib*",
    ),
    ("build", "build builds building compil* bundl* linker webpack vite cargo cmake makefile* gradle maven"),
    ("ci", "ci pipeline* workflow-file github-actions jenkins gitlab-ci runner runners"),
    (
        "deployment",
        "deploy* release* releasing rollout* rollback* staging production docker* kubernetes helm terraform",
    ),
    ("dependencies", "dependenc* upgrad* lockfile* vendor* package-lock semver"),
    ("version-control", "git commit* rebase* merge merges merging branch* cherry-pick squash* worktree*"),
    ("documentation", "docs documentation readme changelog docstring* comment comments tutorial*"),
    ("configuration", "config* setting settings env dotenv feature-flag*"),
    ("logging", "log logs logging logger* trace traces tracing telemetry metric* observab*"),
    ("caching", "cache* caching memoi* invalidat*"),
    ("types", "typecheck* typescript-types type-error* mypy pyright generics lifetime* borrow*"),
    ("files", "file files filesystem directory directories path paths upload* download*"),
    ("memory", "memory leak leaks leaking oom allocation* heap"),
    ("time", "timezone* timestamp* date dates schedule* cron utc"),
    ("localisation", "locale* i18n l10n translat* unicode utf8 utf-8 encoding*"),
];

/// Technologies, by the names and the endings of files by which they are known.
const TECHNOLOGIES: [(&str, &str); 32] = [
    ("rust", "rust cargo clippy tokio .rs"),
    ("python", "python pip pytest django flask fastapi pandas .py"),
    ("typescript", "typescript tsc .ts .tsx"),
    ("javascript", "javascript node nodejs npm .js .jsx .mjs"),
    ("go", "golang gofmt .go"),
    ("java", "java maven gradle junit .java"),
    ("kotlin", "kotlin .kt"),
    ("swift", "swift xcode .swift"),
    ("c++", "c++ cpp cmake .cpp .hpp .cc"),
    ("c#", "c# dotnet nuget .cs"),
    ("ruby", "ruby rails rspec .rb"),
    ("php", "php composer laravel .php"),
    ("shell", "bash zsh shellcheck .sh"),
    ("sql", "sql .sql"),
    ("html", "html .html"),
    ("css", "css tailwind scss .css .scss"),
    ("react", "react nextjs next.js"),
    ("svelte", "svelte sveltekit .svelte"),
    ("vue", "vue nuxt .vue"),
    ("tauri", "tauri"),
    ("electron", "electron"),
    ("docker", "docker dockerfile compose"),
    ("kubernetes", "kubernetes k8s kubectl helm"),
    ("terraform", "terraform .tf"),
    ("sqlite", "sqlite sqlite3 rusqlite fts5"),
    ("postgres", "postgres postgresql psql"),
    ("redis", "redis"),
    ("git", "git github gitlab"),
    ("csv", "csv .csv"),
    ("json", "json .json"),
    ("yaml", "yaml yml .yaml .yml"),
    ("graphql", "graphql .graphql"),
];

/// The tags of a text: topics first, those it speaks of most before the others.
pub(super) fn of(text: &str) -> Vec<String> {
    let words = words(text);
    let spoken = |lexicon: &[(&'static str, &str)]| {
        let mut found: Vec<(&'static str, usize)> = lexicon
            .iter()
            .map(|(tag, known)| (*tag, words.iter().filter(|word| speaks(known, word)).count()))
            .filter(|(_, count)| *count > 0)
            .collect();
        found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        found
    };
    let mut tags: Vec<String> = Vec::new();
    for (tag, _) in spoken(&TOPICS).into_iter().take(MOST / 2).chain(spoken(&TECHNOLOGIES)) {
        if tags.len() < MOST && !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    tags
}

/// The words of a text, whole and taken apart, and the endings of the files it names; each once.
fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '#');
    for word in text.split(|c: char| !inside(c)) {
        let word = word.trim_matches(|c| matches!(c, '.' | '-' | '_')).to_lowercase();
        if let Some((_, ending)) = word.rsplit_once('.') {
            words.insert(format!(".{ending}"));
        }
        words.insert(word);
    }
    words.extend(identifiers::parts(text).split(' ').map(str::to_owned));
    words.remove("");
    words
}

fn speaks(known: &str, word: &str) -> bool {
    known.split(' ').any(|one| match one.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == one,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_and_technologies_are_told_by_whole_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(of(text), expected, "{text}");
        check("Fix authentication timeout issue", &["authentication", "debugging", "networking"]);
        check("Refactor the parser in src/csv_reader.rs", &["parsing", "refactoring", "rust", "csv"]);
        check("Show the latest author of the greatest contest", &[]);
        check("The prefix is wrong", &[]);
        check("readTimeout is ignored", &["networking"]);
        check("Debug auth errors in production", &["debugging", "authentication", "deployment"]);
        check("", &[]);
        assert!(of(&"auth test crash sql race http css git yaml ".repeat(2000)).len() <= MOST);
    }

    #[test]
    fn every_tag_is_listed_once_and_its_words_are_lower_case() {
        for lexicon in [&TOPICS[..], &TECHNOLOGIES[..]] {
            let names: HashSet<_> = lexicon.iter().map(|(tag, _)| tag).collect();
            assert_eq!(names.len(), lexicon.len());
            assert!(lexicon.iter().all(|(_, words)| *words == words.to_lowercase()));
        }
    }
}
