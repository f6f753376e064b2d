//! Which candidate is which label.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::Label;

/// Lines of evidence looked at; a candidate cannot match by naming the whole session.
const EVIDENCE_COUNTED: usize = 12;

/// One candidate as `afterword reflect --json` prints it.
#[derive(Debug, Clone, Deserialize)]
pub struct Candidate {
    /// preference, workflow, fix or idea.
    pub kind: String,
    /// high, medium or low.
    pub confidence: String,
    /// The lesson in a sentence.
    pub title: String,
    /// Where it was seen.
    pub evidence: Vec<Evidence>,
}

/// One place a candidate rests on.
#[derive(Debug, Clone, Deserialize)]
pub struct Evidence {
    /// The line of the transcript, from 1.
    pub line: u64,
}

/// What a candidate turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is a label nothing matched before.
    Match,
    /// It is a label something else matched already.
    Duplicate,
    /// It is only an arguable label: it counts neither way.
    Optional,
    /// There is a label, of another kind.
    WrongKind,
    /// There is nothing to learn.
    Noise,
}

/// A candidate with its verdict and the label it was compared with.
#[derive(Debug)]
pub struct Matched {
    /// The candidate.
    pub candidate: Candidate,
    /// What it turned out to be.
    pub verdict: Verdict,
    /// The label, where there is one.
    pub label: Option<Label>,
}

/// Pairs the candidates of a session with its labels, the surest candidate first; returns also what nothing matched.
#[must_use]
pub fn compare(mut candidates: Vec<Candidate>, labels: &[Label]) -> (Vec<Matched>, Vec<Label>) {
    candidates.sort_by_key(|candidate| match candidate.confidence.as_str() {
        "high" => 0,
        "medium" => 1,
        "low" => 2,
        _ => 3,
    });
    let mut taken = BTreeSet::new();
    let found = candidates
        .into_iter()
        .map(|candidate| {
            let (verdict, label) = judge(&candidate, labels, &mut taken);
            Matched { candidate, verdict, label: label.cloned() }
        })
        .collect();
    let missed =
        |(index, label): (usize, &Label)| (!taken.contains(&index) && !label.optional).then(|| label.clone());
    (found, labels.iter().enumerate().filter_map(missed).collect())
}

fn judge<'a>(
    candidate: &Candidate,
    labels: &'a [Label],
    taken: &mut BTreeSet<usize>,
) -> (Verdict, Option<&'a Label>) {
    let lines: BTreeSet<u64> =
        candidate.evidence.iter().take(EVIDENCE_COUNTED).map(|evidence| evidence.line).collect();
    let near = |label: &Label| label.lines.iter().any(|line| lines.contains(line));
    let hits = || labels.iter().enumerate().filter(|(_, label)| near(label) && label.takes(&candidate.kind));
    let required = || hits().filter(|(_, label)| !label.optional);
    if let Some((index, label)) = required().find(|(index, _)| !taken.contains(index)) {
        taken.insert(index);
        (Verdict::Match, Some(label))
    } else if let Some((_, label)) = required().next() {
        (Verdict::Duplicate, Some(label))
    } else if let Some((_, label)) = hits().next() {
        (Verdict::Optional, Some(label))
    } else if let Some(label) = labels.iter().find(|label| near(label)) {
        (Verdict::WrongKind, Some(label))
    } else {
        (Verdict::Noise, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(kind: &str, lines: &[u64], optional: bool) -> Label {
        Label {
            session: "s".into(),
            kind: kind.into(),
            also: Vec::new(),
            tier: "high".into(),
            line: lines[0],
            lines: lines.to_vec(),
            gist: "g".into(),
            optional,
        }
    }

    fn candidate(kind: &str, confidence: &str, lines: &[u64]) -> Candidate {
        Candidate {
            kind: kind.into(),
            confidence: confidence.into(),
            title: "t".into(),
            evidence: lines.iter().map(|&line| Evidence { line }).collect(),
        }
    }

    fn verdicts(candidates: Vec<Candidate>, labels: &[Label]) -> (Vec<Verdict>, usize) {
        let (found, missed) = compare(candidates, labels);
        (found.iter().map(|found| found.verdict).collect(), missed.len())
    }

    #[test]
    fn a_label_is_matched_once_and_the_surer_candidate_wins() {
        let labels = [label("idea", &[4, 5], false)];
        let (found, missed) =
            compare(vec![candidate("idea", "low", &[4]), candidate("idea", "high", &[5])], &labels);
        assert!(missed.is_empty());
        assert_eq!((found[0].candidate.confidence.as_str(), found[0].verdict), ("high", Verdict::Match));
        assert_eq!(found[1].verdict, Verdict::Duplicate);
    }

    #[test]
    fn optional_labels_count_neither_way() {
        let labels = [label("fix", &[4], true)];
        assert_eq!(verdicts(vec![candidate("fix", "low", &[4])], &labels), (vec![Verdict::Optional], 0));
        assert_eq!(verdicts(vec![], &labels), (vec![], 0));
    }

    #[test]
    fn another_kind_or_line_is_no_match() {
        let labels = [label("fix", &[4], false)];
        assert_eq!(verdicts(vec![candidate("idea", "low", &[4])], &labels), (vec![Verdict::WrongKind], 1));
        assert_eq!(verdicts(vec![candidate("fix", "low", &[9])], &labels), (vec![Verdict::Noise], 1));
    }

    #[test]
    fn a_required_label_is_preferred_to_an_optional_one() {
        let labels = [label("fix", &[4], true), label("fix", &[4], false)];
        assert_eq!(verdicts(vec![candidate("fix", "low", &[4])], &labels), (vec![Verdict::Match], 0));
    }

    #[test]
    fn naming_every_line_does_not_help() {
        let labels = [label("fix", &[13], false)];
        let everything: Vec<u64> = (1..=20).collect();
        assert_eq!(verdicts(vec![candidate("fix", "low", &everything)], &labels), (vec![Verdict::Noise], 1));
    }
}
