use crate::log::Entry;
use std::collections::BTreeMap;

pub fn table(entries: &[Entry]) -> String {
    let mut sums: BTreeMap<&str, u32> = BTreeMap::new();
    for entry in entries {
        *sums.entry(&entry.project).or_default() += entry.minutes();
    }
    sums.iter()
        .map(|(project, minutes)| format!("{project:12} {:>3}h{:02}\n", minutes / 60, minutes % 60))
        .collect()
}
