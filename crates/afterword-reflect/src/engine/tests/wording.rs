//! The words of a lesson: an idea's two sentences, and titles of which only a part was said.

use super::believing::joined;
use super::*;

#[test]
fn an_idea_has_two_sentences_whose_words_were_said() {
    let events = [
        agent(1, "Done. The report is written as a table."),
        person(2, "later we could export to csv as well"),
    ];
    let digest = read(&events, &[]);
    let body_of = |body: &str| {
        let mut lesson = proposal("idea", 2, "later we could export to csv as well");
        (lesson["title"], lesson["body"]) = (json!("Export to csv as well"), json!(body));
        let proposed = AnswerForm::Full.read(&answer(&[lesson]).to_string()).unwrap().lessons;
        let (lessons, _) = check::checked(proposed, &lines(&digest), &[]);
        let reading = merge::PartReading { lessons, ..merge::PartReading::default() };
        joined(Vec::new(), vec![reading]).candidates.remove(0).body
    };
    let put_off = "It was put off with the words “later we could export to csv as well”.";
    let came_up = "It came up after “The report is written as a table”.";
    let two = "An export of the report to data.csv. The need was seen when the table was done.";
    assert_eq!(body_of(two), two, "a file's name ends no sentence");
    assert_eq!(body_of(&format!("{two} Export to csv, later.")), two, "a third is one too many");
    assert_eq!(body_of("An export of the report"), format!("An export of the report. {put_off}"));
    for made_up in ["", "Kubernetes clusters scale. Regions replicate horizontally across continents."] {
        assert_eq!(body_of(made_up), format!("{put_off} {came_up}"), "{made_up}");
    }
    let half = "An export of the report. Kubernetes clusters scale horizontally across continents.";
    assert_eq!(body_of(half), format!("An export of the report. {put_off}"), "one of them is made up");
    let chinese = "导出报告。later we could export 表格！";
    assert_eq!(
        body_of(chinese),
        format!("later we could export 表格！ {put_off}"),
        "only one of them was said"
    );
}

#[test]
fn an_idea_that_came_up_before_anything_else_says_where_it_stands() {
    let digest = read(&[person(2, "maybe one day: dark mode")], &[]);
    let mut lesson = proposal("idea", 2, "maybe one day: dark mode");
    (lesson["title"], lesson["body"]) = (json!("Dark mode"), json!(""));
    let proposed = AnswerForm::Full.read(&answer(&[lesson]).to_string()).unwrap().lessons;
    let (lessons, _) = check::checked(proposed, &lines(&digest), &[]);
    let body =
        "It was put off with the words “maybe one day: dark mode”. It stands in line 2 of the session.";
    assert_eq!(lessons[0].candidate.body, body);
}

#[test]
fn of_a_title_only_half_of_which_was_said_its_rule_is_certain_alone() {
    let said = |title: &str| {
        let mut lesson = proposal("preference", 5, "always run the formatter before you commit");
        (lesson["title"], lesson["body"]) = (json!(title), json!("Run it before you commit."));
        let proposed = AnswerForm::Full.read(&answer(&[lesson]).to_string()).unwrap().lessons;
        let candidate = check::checked(proposed, &lines(&digest()), &[]).0.remove(0).candidate;
        (candidate.title, candidate.body, candidate.confidence)
    };
    let long = "Run the formatter before every commit: the hook checks pushed branches, tags and releases";
    let rule = "Run the formatter before every commit";
    let body = "The hook checks pushed branches, tags and releases. Run it before you commit.";
    assert_eq!(said(long), (rule.to_owned(), body.to_owned(), Confidence::High));
    let named = "Run the formatter before every commit: preCommit checks pushed branches, tags and releases";
    assert!(said(named).1.starts_with("preCommit checks"), "a name keeps its letters");
    let whole = "Always run the formatter: before you commit";
    assert_eq!(said(whole).0, whole, "nothing is taken off a title that was said");
    let foreign = "Check pushed branches and tags in hooks: run the formatter before you commit";
    assert_ne!(said(foreign).2, Confidence::High, "the rule has to be what was said");
}

#[test]
fn what_is_certain_takes_words_of_the_message_its_rule_stands_in() {
    let said =
        "can one clerk open two ledgers at once? after a storm every clerk reuses the older ledger key";
    let digest = read(&[agent(1, "Done."), person(2, said), agent(3, "Good catch.")], &[]);
    let title_with = |title: &str, said: &str| {
        let mut known = candidate(2, Confidence::High);
        known.title = "After a storm every clerk reuses the older ledger key".to_owned();
        known.evidence[0].quote = "after a storm every clerk reuses the older ledger key".to_owned();
        let mut lesson = proposal("preference", 2, said);
        (lesson["n"], lesson["title"]) = (json!(1), json!(title));
        let proposed = AnswerForm::Full.read(&answer(&[lesson]).to_string()).unwrap().lessons;
        let (lessons, _) = check::checked(proposed, &lines(&digest), &[&known]);
        let reading = merge::PartReading { shown: vec![0], answers: vec![], lessons };
        let candidate = joined(vec![known], vec![reading]).candidates.remove(0);
        (candidate.title, candidate.confidence)
    };
    let quote = "reuses the older ledger key";
    let better = "Two ledgers opened at once: clerks hold one ledger key for them";
    assert_eq!(title_with(better, quote), (better.to_owned(), Confidence::High));
    let foreign =
        "Clerks reuse the ledger key of Kubernetes clusters that scale horizontally across continents";
    let (title, confidence) = title_with(foreign, quote);
    assert_eq!(
        (title.starts_with("After a storm"), confidence),
        (true, Confidence::High),
        "not what was said"
    );
}
