//! The figures of the front page against the measurements they are taken from.

use std::fs;
use std::path::Path;

fn read(document: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    fs::read_to_string(path).unwrap().replace('\n', " ")
}

/// What stands between two pieces of a text, of which the first is there once.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let mut parts = text.split(before);
    let (_, Some(rest), None) = (parts.next(), parts.next(), parts.next()) else {
        panic!("not there once: {before}");
    };
    rest.split(after)
        .next()
        .filter(|found| found.len() < rest.len())
        .unwrap_or_else(|| panic!("missing: {after}"))
        .trim()
}

fn number(text: &str) -> f64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("not a number: {text}"))
}

/// A share as people say it, of one as it is measured.
fn percent(share: &str) -> String {
    (number(share) * 100.0).round().to_string()
}

#[test]
fn figures_of_the_front_page_are_those_that_were_measured() {
    let (page, quality, speed) = (read("README.md"), read("docs/quality.md"), read("docs/performance.md"));
    let said = |before: &str, after: &str| between(&page, before, after).to_owned();
    let measured = |before: &str, after: &str| between(&quality, before, after).to_owned();

    let certain = measured("| high | 115 | ", " |");
    let (precision, recall) = certain.split_once(" / ").unwrap();
    assert_eq!(said("left out in turn), ", " % of it matches"), percent(precision));
    assert_eq!(said("matches a label; it is ", " % of what"), percent(recall));
    let overall = measured("| overall | 153 | ", " |");
    let shares: Vec<String> = overall.split(" / ").map(percent).collect();
    let all = said("With what is likely, and the inbox: ", " |");
    assert_eq!(all, format!("{} % and {} %", shares[0], shares[1]));

    assert_eq!(said("stood around them | of ", " lessons"), measured("less well: of ", " titles"));
    let read_on = said("it was certain of on ", ", ");
    assert_eq!(read_on, measured("without what stood around them (", ";"));
    assert_eq!(
        said(&format!("{read_on}, "), " said"),
        measured("how titles are made has changed since), ", " were lines")
    );
    assert_eq!(said("Of the ", " that stayed"), measured("sessions that left ", " preferences"));
    let read_on = said("of 299 sessions on ", " some");
    assert_eq!(format!("{read_on} 2026"), measured("preferences in `Preferences/` (", ")"));
    assert_eq!(said(&format!("{read_on} some "), " were worth"), measured("called some ", " of them worth"));

    let search = measured("| **`afterword search`** | **", "**");
    assert_eq!(said("first five hits in ", " %"), percent(&search));
    assert_eq!(said("`grep` finds ", " %"), percent(&measured("words in common | ", " |")));

    // The median session, in hundreds.
    let sent = measured(
        "| least | quarter | median | three quarters | nine tenths | most | all 27 | |---|---|---|---|---|---|---| | ",
        " The vault was empty",
    );
    let median = number(sent.split(" | ").nth(2).unwrap());
    let tokens = number(&said("usual case, with some ", " tokens"));
    assert!((tokens - median).abs() <= 50.0, "{tokens} and {median}");

    assert_eq!(said("The agent in the tray takes ", " MiB"), between(&speed, "| tray alone | ", " MiB"));
    let hook = number(&said("a hook takes about ", " ms"));
    assert_eq!(hook, number(between(&speed, "| UserPromptSubmit | ", " /")).round());
    let start = number(&said("the start of one out of 10,000 lessons ", " ms"));
    assert_eq!(
        start,
        number(between(
            &speed,
            "the hook's whole process (`cargo bench -p afterword-cli --bench hook`): median ",
            " ms"
        ))
        .round()
    );
}
