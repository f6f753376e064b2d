//! What a person asks for in session after session: "add a test for this", "create a changeset", "run `bun verify`", "update status.md".
//!
//! Each is an order for now and no rule, and the words differ every time. What is the same is what is to be done with what, so that is
//! what is counted: a command that is to be run, a document that is to be read or kept up to date, or one of the things that belong to
//! every change ([`THINGS`]). Who asks for it in three sessions should not have to ask in the fourth.

use std::sync::OnceLock;

use regex::Regex;

use super::ngrams::is_unspaced;
use super::redone::Work;
use super::thread::Weighed;
use super::words::pattern;

/// Most words of a message that asks for something in passing; longer ones are plans, often pasted.
const MESSAGE: usize = 150;
/// Most words of the clause that asks.
const CLAUSE: usize = 24;
/// Words between what is to be done and the thing, at most.
const REACH: usize = 7;

/// A request that counts when it comes again in other sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Routine {
    /// What is to be done with what; equal when it comes again.
    pub(super) key: String,
    /// What a note of it says; `None` where the person's own words say it better.
    pub(super) title: Option<String>,
    /// The thing that is to pass, where no command was named for it.
    thing: Option<&'static Thing>,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// To be made, or asked whether it is there.
    Make,
    /// To be brought up to date.
    Update,
    /// To be run, or mended because it fails.
    Pass,
    /// To be looked at: of a document it is read, of anything else seen to pass.
    Check,
    /// To be read.
    Read,
}

/// Words for what is to be done; a star stands for any ending. In scripts without spaces they may stand anywhere.
const ACTS: [(Act, &str); 5] = [
    (
        Act::Make,
        "add adding create creating write generate include need have has had there log file take attach cover* ergänz* \
    hinzu* schreib* erstell* füg* ajout* écri* crée* créer añad* agreg* escrib* crea crear adicion* escrev* criar \
    crie cria добав* напиш* напис* созда* 加 写 寫 补 補 创建 建 追加 書 作成 作っ 추가 작성 만들",
    ),
    (
        Act::Update,
        "update updating document refresh sync adjust reflect record put note extend aktualisier* anpass* dokumentier* \
    mets mettre actualiz* atualiz* обнов* 更新 修改 업데이트 갱신",
    ),
    (
        Act::Pass,
        "run rerun running execute fix fixing resolve ausführ* führ* lauf* behebe* reparier* lance* exécut* \
    corrig* ejecut* corre arregl* rode roda rodar execut* запус* выполн* прогон* исправ* почин* 运行 跑 执行 修 実行 走ら 直 \
    실행 돌려 고쳐",
    ),
    (Act::Check, "check checking verify prüf* überprüf* vérifi* comprueb* verifi* провер* 检查 確認 확인"),
    (
        Act::Read,
        "read see look looking open continue resume follow review consult lies lese lis lire lee leia прочита* читай 读 看 読 읽",
    ),
];

/// Programs that run a project's tasks.
const RUNNERS: &str = "bun|bunx|npm|npx|pnpm|yarn|mise|make|just|task|cargo|go|uv|poetry|tox|nox|gradle|mvn|dotnet|mix|rake|bundle|\
    composer|deno|nx|turbo|bazel|sbt|flutter|swift|zig|meson|ctest";

/// What says that a check does not pass.
const FAILS: &str = "fail fails failing failed failure* broken error errors red schlägt falla* падают";

/// What says that it is not to be done.
const NOT: &str = "don't dont not never without skip remove delete drop stop revert undo avoid instead kein keine keinen nicht \
    ohne pas sans sin não sem не без 不 别 別 勿 ないで 지마 말고 削除";

/// What else is said of tests and checks: that they are doubled, or need not pass.
const OTHERWISE: &str =
    "parallel optional duplicate duplicated duplicates integrated applicable longer couldn't";

/// A thing that belongs to a change, however it is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Thing {
    key: &'static str,
    words: &'static str,
    /// What is to be done with it, and what a note of that says.
    acts: &'static [(Act, Option<&'static str>)],
}

/// What is left for later and is to be written down: an idea by itself, and a habit when it comes again.
const TODO: &str = "todo";

impl Routine {
    /// Whether the words of one request are an idea as well, so that both are kept.
    pub(super) fn puts_off(&self) -> bool {
        self.key.ends_with(TODO)
    }

    /// The title, with the command the agent ran for it: a note that says "run the tests" should say how they are run here.
    pub(super) fn title_with(&self, work: &[Work]) -> Option<String> {
        let title = self.title.as_ref()?;
        let command = self.thing.and_then(|thing| thing.command(work));
        Some(match command {
            Some(command) => format!("{title}, with `{command}`"),
            None => title.clone(),
        })
    }
}

impl Thing {
    /// The last command of some work that makes the whole of it pass, and not one file or one test of it.
    fn command(&self, work: &[Work]) -> Option<String> {
        /// Most words of a command that a note can name.
        const WORDS: usize = 6;
        static OF_ONE: OnceLock<Regex> = OnceLock::new();
        static OUTPUT: OnceLock<Regex> = OnceLock::new();
        let of_one = OF_ONE.get_or_init(|| {
            pattern(r#"(?:^| )(?:-run|-k|-t|--filter|--grep|--test|--tests|--testNamePattern|--only)(?:[ =]|$)|\w\.\w+(?::|$| )|["'$(){}<>*]"#)
        });
        let output = OUTPUT.get_or_init(|| pattern(r"\s*(?:[12&]?>\S*.*|\|.*)$"));
        let commands = work.iter().rev().filter_map(Work::command);
        let mut single = commands.flat_map(|command| command.rsplit(['\n', ';', '&']));
        single.find_map(|command| {
            let command = output.replace(command.trim(), "").into_owned();
            let mut parts =
                command.split(|c: char| c.is_whitespace() || matches!(c, ':' | '/' | '-')).skip(1);
            let is_of_thing =
                parts.any(|part| is_one_of(part, self.words) || self.key == "test" && part == "ci");
            let is_whole = command.split_whitespace().count() <= WORDS && !of_one.is_match(&command);
            let program = command.split_whitespace().next().unwrap_or_default();
            let is_run = RUNNERS.split('|').any(|known| known == program) || program.contains('/');
            (is_of_thing && is_whole && is_run && command.contains(' ')).then_some(command)
        })
    }
}

/// The things. Titles are in English and stand for requests in English; others keep their words.
static THINGS: [Thing; 11] = [
    Thing {
        key: "test",
        words: "test tests testcase testcases unittest unittests testes teste prueba pruebas тест* 测试 測試 テスト 테스트",
        acts: &[
            (Act::Make, Some("Add tests for what you change")),
            (Act::Pass, Some("Run the tests and fix what fails before you are done")),
        ],
    },
    Thing {
        key: "lint",
        words: "lint linter linting lints eslint clippy golangci-lint",
        acts: &[(Act::Pass, Some("Run the linter and fix what it finds before you are done"))],
    },
    Thing {
        key: "format",
        words: "gofmt rustfmt prettier formatter formatting",
        acts: &[(Act::Pass, Some("Run the formatter before you are done"))],
    },
    Thing {
        key: "types",
        words: "typecheck typechecks type-check tsc mypy pyright",
        acts: &[(Act::Pass, Some("Run the type check and fix what it finds before you are done"))],
    },
    Thing {
        key: "changeset",
        words: "changeset changesets",
        acts: &[(Act::Make, Some("Create a changeset for the change"))],
    },
    Thing {
        key: "changelog",
        words: "changelog changelogs 更新日志 変更履歴",
        acts: &[
            (Act::Update, Some("Keep the changelog up to date")),
            (Act::Make, Some("Keep the changelog up to date")),
        ],
    },
    Thing {
        key: "docs",
        words: "docs documentation doku dokumentation documentación documentação документаци* 文档 文檔 ドキュメント 문서",
        acts: &[
            (Act::Update, Some("Keep the documentation up to date")),
            (Act::Make, Some("Keep the documentation up to date")),
        ],
    },
    Thing {
        key: "build",
        words: "build builds",
        acts: &[(Act::Pass, Some("Run the build and fix what fails before you are done"))],
    },
    Thing {
        key: "migration",
        words: "migration migrations миграци* 迁移 移行",
        acts: &[(Act::Make, Some("Add a migration for a change of the schema"))],
    },
    Thing {
        key: "translation",
        words: "translation translations i18n übersetzung* traduction* traducci* traduçõ* traduções перевод* 翻译 翻訳 번역",
        acts: &[
            (Act::Make, Some("Add the translations of new texts")),
            (Act::Update, Some("Add the translations of new texts")),
        ],
    },
    Thing {
        key: TODO,
        words: "todo todos to-do",
        acts: &[(Act::Make, Some("Log what is left for later as a todo"))],
    },
];

/// The requests of a message, each with the clause that makes it. Of one clause there can be several: `run the linter` by its command
/// and by its thing.
pub(super) fn of(item: &Weighed) -> Vec<(Vec<Routine>, String)> {
    let own = &item.moment.own;
    if own.split_whitespace().count() > MESSAGE {
        return Vec::new();
    }
    let is_english = super::cues::LANGUAGES[item.reading.language] == "english";
    let whole = item.reading.clauses.iter().filter(|clause| !clause.partial);
    let of_clauses =
        whole.map(|clause| (of_clause(clause.text(own), is_english), clause.text(own).to_owned()));
    of_clauses.filter(|(routines, _)| !routines.is_empty()).collect()
}

/// The requests of a clause.
fn of_clause(clause: &str, is_english: bool) -> Vec<Routine> {
    if clause.split_whitespace().count() > CLAUSE {
        return Vec::new();
    }
    let words: Vec<String> = words(clause);
    // "There are a number of open todos" tells, and asks for nothing.
    if reports(&words) {
        return Vec::new();
    }
    let mut found: Vec<Routine> = Vec::new();
    let mut add = |routine: Routine| {
        if !found.iter().any(|known| known.key == routine.key) {
            found.push(routine);
        }
    };
    let english = |title: String| is_english.then_some(title);
    let commands = commands(clause);
    if !is_refused(&words, words.len()) {
        let runs =
            acts(&words, words.len()).any(|act| matches!(act, Act::Pass | Act::Check)) || fails(&words);
        for command in commands.iter().filter(|_| runs) {
            let key = command.to_lowercase().replace(" run ", " ");
            add(Routine {
                key: format!("run {key}"),
                title: english(format!("Run `{command}` and fix what fails before you are done")),
                thing: None,
            });
        }
        for (at, word) in words.iter().enumerate().filter(|(_, word)| is_document(word)) {
            let name = word.rsplit('/').next().unwrap_or(word);
            let (verb, title) = match nearest(&words, at) {
                Some(Act::Read | Act::Check) => ("read", format!("Read `{name}` before you start")),
                Some(Act::Make | Act::Update) => ("update", format!("Keep `{name}` up to date")),
                _ => continue,
            };
            add(Routine {
                key: format!("{verb} {}", name.to_lowercase()),
                title: english(title),
                thing: None,
            });
        }
    }
    for thing in &THINGS {
        let is_named = |word: &String| is_one_of(word, thing.words) || names(word, thing.words);
        let Some(at) = words.iter().position(|word| !is_document(word) && is_named(word)) else { continue };
        if is_refused(&words, at + 1) {
            continue;
        }
        // "The tests fail" asks for them to pass.
        let by_itself = || words[at].split([':', '-']).find_map(act_of);
        let act = by_itself().or_else(|| nearest(&words, at)).or_else(|| fails(&words).then_some(Act::Pass));
        let act = act.map(|act| if act == Act::Check { Act::Pass } else { act });
        let is_otherwise = || words.iter().any(|word| is_one_of(word, OTHERWISE));
        // "Do you have a link to the docs?" asks where they are.
        let asks_where = || {
            words.first().is_some_and(|word| is_one_of(word, "where is are do can could have got"))
                && words.iter().any(|word| is_one_of(word, "link links url where"))
        };
        let act = act.filter(|act| *act != Act::Pass || !is_otherwise());
        let act = act.filter(|_| thing.key != "docs" || !asks_where());
        let known = act.and_then(|act| thing.acts.iter().find(|(known, _)| *known == act));
        let Some((act, title)) = known else { continue };
        let verb = if *act == Act::Pass { "pass" } else { "make" };
        let is_command = words[at].contains(':');
        let with = |title: &str| match is_command {
            true => format!("{title}, with `{}`", words[at]),
            false => title.to_owned(),
        };
        let title = title.and_then(|title| english(with(title)));
        let passes = (*act == Act::Pass && !is_command).then_some(thing);
        add(Routine { key: format!("{verb} {}", thing.key), title, thing: passes });
    }
    found
}

/// "OK, there are …", "so there is …": what there is is told, not asked for.
fn reports(words: &[String]) -> bool {
    let at = words.iter().position(|word| word == "there");
    at.is_some_and(|at| {
        let before = at.checked_sub(1).map(|before| words[before].as_str());
        let is_verb = |word: Option<&str>| matches!(word, Some("is" | "are" | "was" | "were"));
        is_verb(words.get(at + 1).map(String::as_str)) && !is_verb(before)
    })
}

/// Words as they stand, in lower case unless they name a document.
fn words(clause: &str) -> Vec<String> {
    let edge = |c: char| !c.is_alphanumeric();
    let mut found = Vec::new();
    for word in clause.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '，' | '、')) {
        let word = word.trim_matches(edge);
        if word.is_empty() {
            continue;
        }
        found.push(if is_document(word) { word.to_owned() } else { word.replace('’', "'").to_lowercase() });
    }
    found
}

fn is_one_of(word: &str, known: &str) -> bool {
    known.split_ascii_whitespace().any(|known| is_word(word, known))
}

/// Whether a word is a known one, or holds it where words are not set apart.
fn is_word(word: &str, known: &str) -> bool {
    match known.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None if known.chars().any(is_unspaced) => word.contains(known),
        None => word == known || word.split(['/', ':']).any(|part| part == known),
    }
}

/// Whether a word is a command of another program that names a thing: `plan:add-todo`.
fn names(word: &str, known: &str) -> bool {
    word.contains(':') && word.split([':', '-']).any(|part| is_one_of(part, known))
}

/// What is to be done according to the first `end` words, in order.
fn acts(words: &[String], end: usize) -> impl Iterator<Item = Act> {
    words[..end].iter().filter_map(|word| act_of(word))
}

fn act_of(word: &str) -> Option<Act> {
    ACTS.iter().find(|(_, known)| is_one_of(word, known)).map(|(act, _)| *act)
}

/// What is to be done with the word at a place: what stands nearest before it, or in the same run of letters or behind it in languages
/// that put the verb last.
fn nearest(words: &[String], at: usize) -> Option<Act> {
    let before = words[at.saturating_sub(REACH)..at].iter().rev().find_map(|word| act_of(word));
    let verb_last = || {
        let is_verb_last = |word: &&String| !word.is_ascii();
        words[at..].iter().take(REACH).filter(is_verb_last).find_map(|word| act_of(word))
    };
    before.or_else(verb_last)
}

/// Whether the first `end` words say that it is not to be done. "You did not create one" asks for it.
fn is_refused(words: &[String], end: usize) -> bool {
    let mut before = "";
    for word in &words[..end] {
        let asks = word == "not" && matches!(before, "did" | "does" | "have" | "has");
        let no_such = before == "no" || word == "no" && words[..end].last() != Some(word);
        if !asks && is_one_of(word, NOT) || no_such && before == "no" {
            return true;
        }
        before = word;
    }
    false
}

fn fails(words: &[String]) -> bool {
    words.iter().any(|word| is_one_of(word, FAILS))
}

/// A document that people keep by hand: `status.md`, not a script or a test.
fn is_document(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    ending.is_some_and(|(_, ending)| {
        ["md", "mdx", "rst", "adoc"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// The commands a clause names: in backticks or quotes, or bare behind one of the usual runners.
fn commands(clause: &str) -> Vec<String> {
    static QUOTED: OnceLock<Regex> = OnceLock::new();
    static BARE: OnceLock<Regex> = OnceLock::new();
    let quoted =
        QUOTED.get_or_init(|| pattern("[`\"“]([a-z][a-z0-9_./-]*(?: [A-Za-z0-9_:./@=&|-]+){1,7})[`\"”]"));
    let bare = BARE.get_or_init(|| {
        pattern(&format!(
            "{}{RUNNERS}{}",
            r"\b(?:",
            r")(?: run| exec)? (?:test|lint|verify|check|build|fmt|format|typecheck|ci|e2e|clippy|vet|generate|validate|precommit|pre-commit)(?:[:\w-]*\w)?",
        ))
    });
    let named: Vec<&str> =
        quoted.captures_iter(clause).filter_map(|found| found.get(1)).map(|found| found.as_str()).collect();
    let named =
        if named.is_empty() { bare.find_iter(clause).map(|found| found.as_str()).collect() } else { named };
    let apart = named.iter().flat_map(|command| command.split("&&")).map(str::trim);
    apart.filter(|command| command.contains(' ') && checks(command)).map(str::to_owned).collect()
}

/// Whether a command checks something, so that it can be asked for after every change.
fn checks(command: &str) -> bool {
    const CHECKS: [&str; 14] = [
        "test", "lint", "verify", "check", "build", "fmt", "format", "type", "ci", "e2e", "clippy", "vet",
        "validate", "tsc",
    ];
    let mut words = command.split(|c: char| !c.is_ascii_alphanumeric()).skip(1);
    words.any(|word| CHECKS.iter().any(|known| word == *known || known.len() > 3 && word.starts_with(known)))
}

#[cfg(test)]
mod tests {
    use afterword_transcript::event::{EntryLocation, ToolCall};

    use super::*;

    fn keys(clause: &str) -> Vec<String> {
        of_clause(clause, true).into_iter().map(|routine| routine.key).collect()
    }

    #[test]
    fn the_same_request_has_one_key_in_other_words() {
        for clause in [
            "could you add a regression test for the parser?",
            "we should have some tests here too",
            "does the importer have tests?",
            "schreib bitte noch einen Test dafür",
            "给这个函数加测试",
            "テストも追加してください",
        ] {
            assert_eq!(keys(clause), ["make test"], "{clause}");
        }
        for clause in ["log a plan:todo for it", "rather something for later (plan:add-todo)", "add a todo"] {
            assert_eq!(keys(clause), ["make todo"], "{clause}");
        }
        assert!(keys("ok there are a number of todos about it").is_empty());
        let [routine] = &of_clause("something for later (plan:add-todo)", true)[..] else { panic!("one") };
        assert_eq!(
            routine.title.as_deref(),
            Some("Log what is left for later as a todo, with `plan:add-todo`")
        );
        for clause in ["run the tests again", "two tests fail now", "fix the broken tests please"] {
            assert_eq!(keys(clause), ["pass test"], "{clause}");
        }
        assert_eq!(keys("run `pnpm run check:all` first"), ["run pnpm check:all"]);
        assert_eq!(keys("pnpm check:all shows errors, look at it"), ["run pnpm check:all"]);
        assert_eq!(keys("put the decision into docs/PLAN.md"), ["update plan.md"]);
        assert_eq!(keys("update plan.md please"), ["update plan.md"]);
        for clause in ["read PLAN.md and go on", "check plan.md first", "look at docs/PLAN.md"] {
            assert_eq!(keys(clause), ["read plan.md"], "{clause}");
        }
        assert_eq!(keys("fix the build"), ["pass build"]);
        assert_eq!(keys("and write the migration for it"), ["make migration"]);
        assert_eq!(keys("füge die Übersetzungen hinzu"), ["make translation"]);
        assert_eq!(keys("you did not create a changeset"), ["make changeset"]);
    }

    #[test]
    fn what_is_refused_or_only_named_is_no_request() {
        for clause in [
            "don't add tests for this",
            "remove the test that I wrote",
            "no tests for now",
            "kein Test dafür",
            "the test bench arrived",
            "this is a change in the docs",
            "do you have a link to the docs?",
            "never run `npm test` here",
            "check that these tests are not duplicated",
            "it's fine to run the tests in parallel",
            "the fix of the upload test is no longer applicable",
        ] {
            assert_eq!(keys(clause), Vec::<String>::new(), "{clause}");
        }
    }

    #[test]
    fn a_check_is_named_with_the_command_that_was_run_for_all_of_it() {
        let title = |clause: &str, commands: &[&str]| {
            let work = commands.iter().map(|command| Work::of(&call(command)).unwrap());
            of_clause(clause, true)[0].title_with(&work.collect::<Vec<_>>()).unwrap()
        };
        let tests = "Run the tests and fix what fails before you are done";
        for (command, named) in [
            ("cd api && just test 2>&1 | tail -5", Some("just test")),
            ("pnpm run test:unit", Some("pnpm run test:unit")),
            ("go test ./...", Some("go test ./...")),
            ("go test ./api -run TestLogin", None),
            ("pytest tests/test_login.py -k expired", None),
            ("grep -rn test src", None),
        ] {
            let expected = named.map_or(tests.to_owned(), |named| format!("{tests}, with `{named}`"));
            assert_eq!(title("the tests fail", &["just lint", command]), expected, "{command}");
        }
        let of_lint = title("fix the lint errors", &["just test", "just lint"]);
        assert_eq!(of_lint, "Run the linter and fix what it finds before you are done, with `just lint`");
        assert_eq!(title("add a test for it", &["just test"]), "Add tests for what you change");
    }

    fn call(command: &str) -> ToolCall {
        ToolCall {
            name: "Bash".to_owned(),
            input: command.to_owned(),
            summary: command.to_owned(),
            before: String::new(),
            place: EntryLocation { line: 1, uuid: String::new(), time: None, sidechain: false },
            id: String::new(),
        }
    }

    #[test]
    fn commands_are_taken_apart() {
        assert_eq!(commands("`make fmt && make lint` should pass"), ["make fmt", "make lint"]);
        assert_eq!(commands("is mise run test:ci green?"), ["mise run test:ci"]);
        assert!(commands("run `git push origin` and `npm run dev`").is_empty());
    }
}
