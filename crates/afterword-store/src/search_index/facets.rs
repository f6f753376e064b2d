//! What notes are filtered by, small enough that all of it is read for a search: four numbers a note, in blocks like the
//! vectors, and the texts they stand for in a table of labels.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension};

use super::{BLOCK, IndexedNote, NoteFilter, SearchIndex, Slot};
use crate::StoreError;

/// Bytes of one note's facets.
pub(super) const SIZE: usize = 16;

/// The labels of one note. Zero is no label: a slot without a note has only zeros.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Facets {
    status: u32,
    kind: u32,
    outcome: u32,
    project: u32,
}

impl Facets {
    pub(super) fn of(
        note: &IndexedNote,
        number: &mut dyn FnMut(&str) -> rusqlite::Result<u32>,
    ) -> rusqlite::Result<Self> {
        Ok(Self {
            status: number(&note.status)?,
            kind: number(&note.kind)?,
            outcome: number(&note.outcome)?,
            project: number(&note.project)?,
        })
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        [self.status, self.kind, self.outcome, self.project].into_iter().flat_map(u32::to_le_bytes).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let number = |at: usize| {
            let four = bytes.get(at * 4..).and_then(|rest| rest.first_chunk::<4>());
            four.map_or(0, |four| u32::from_le_bytes(*four))
        };
        Self { status: number(0), kind: number(1), outcome: number(2), project: number(3) }
    }
}

/// Labels given within one change.
#[derive(Debug, Default)]
pub(super) struct Labels {
    known: HashMap<String, u32>,
}

impl Labels {
    /// The number of a text; it is given one where it has none.
    pub(super) fn number(&mut self, connection: &Connection, text: &str) -> rusqlite::Result<u32> {
        if let Some(number) = self.known.get(text) {
            return Ok(*number);
        }
        let mut find = connection.prepare_cached("SELECT number FROM label WHERE text = ?1")?;
        let found: Option<u32> = find.query_row([text], |row| row.get(0)).optional()?;
        let number = match found {
            Some(number) => number,
            None => {
                let sql = "INSERT INTO label (text) VALUES (?1) RETURNING number";
                connection.prepare_cached(sql)?.query_row([text], |row| row.get(0))?
            }
        };
        self.known.insert(text.to_owned(), number);
        Ok(number)
    }
}

impl SearchIndex {
    /// The slots that `filter` keeps out, by slot; empty where it keeps nothing out.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn excluded_slots(&self, filter: &NoteFilter) -> Result<Vec<bool>, StoreError> {
        if *filter == NoteFilter::default() {
            return Ok(Vec::new());
        }
        self.sql("filter the notes", |connection| {
            let wanted = WantedLabels::of(connection, filter)?;
            let mut excluded = Vec::new();
            let mut select = connection.prepare_cached("SELECT block, rows FROM facets ORDER BY block")?;
            let mut blocks = select.query(())?;
            while let Some(block) = blocks.next()? {
                let first = block.get::<_, u32>(0)?.saturating_mul(BLOCK) as usize;
                excluded.resize(first, true);
                let rows = block.get_ref(1)?.as_blob().unwrap_or_default().chunks_exact(SIZE);
                excluded.extend(rows.map(|row| !wanted.has(&Facets::from_bytes(row))));
            }
            for listed in [slots_with_tags(connection, &filter.tags)?, of_session(connection, filter)?] {
                let Some(listed) = listed else { continue };
                for (out, slot) in excluded.iter_mut().zip(0..) {
                    *out |= !listed.contains(&slot);
                }
            }
            Ok(excluded)
        })
    }

    /// How many notes of each project pass `filter`, by its name; those of no project are not counted.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn counts_by_project(&self, filter: &NoteFilter) -> Result<BTreeMap<String, usize>, StoreError> {
        self.sql("count the notes of projects", |connection| {
            let wanted = WantedLabels::of(connection, filter)?;
            let mut by_label: HashMap<u32, usize> = HashMap::new();
            let mut select = connection.prepare_cached("SELECT rows FROM facets")?;
            let mut blocks = select.query(())?;
            while let Some(block) = blocks.next()? {
                let rows = block.get_ref(0)?.as_blob().unwrap_or_default().chunks_exact(SIZE);
                for facets in rows.map(Facets::from_bytes).filter(|facets| wanted.has(facets)) {
                    *by_label.entry(facets.project).or_default() += 1;
                }
            }
            let mut select = connection.prepare_cached("SELECT text FROM label WHERE number = ?1")?;
            let named =
                |(label, count): (u32, usize)| Ok((select.query_row([label], |row| row.get(0))?, count));
            let counts: BTreeMap<String, usize> =
                by_label.into_iter().map(named).collect::<rusqlite::Result<_>>()?;
            Ok(counts.into_iter().filter(|(name, _)| !name.is_empty()).collect())
        })
    }
}

/// The labels that are wanted, by number; `None` where any is.
struct WantedLabels {
    statuses: Option<Vec<bool>>,
    kinds: Option<Vec<bool>>,
    outcomes: Option<Vec<bool>>,
    projects: Option<Vec<bool>>,
}

impl WantedLabels {
    fn of(connection: &Connection, filter: &NoteFilter) -> rusqlite::Result<Self> {
        let mut select = connection.prepare_cached("SELECT text, number FROM label")?;
        let labels: Vec<(String, u32)> =
            select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let most = labels.iter().map(|(_, number)| *number as usize).max().unwrap_or(0);
        let numbers = |is_wanted: &dyn Fn(&str) -> bool| {
            let mut wanted = vec![false; most + 1];
            for (_, number) in labels.iter().filter(|(text, _)| is_wanted(text)) {
                wanted[*number as usize] = true;
            }
            wanted
        };
        let one_of = |wanted: &[String]| {
            (!wanted.is_empty()).then(|| numbers(&|text| wanted.iter().any(|one| one == text)))
        };
        let project = filter.project.as_ref().map(|project| project.to_lowercase());
        let loosely = project.map(|wanted| {
            numbers(&|text| {
                let text = text.to_lowercase();
                let before = text.strip_suffix(&wanted);
                before.is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
            })
        });
        let exactly = one_of(&filter.projects);
        Ok(Self {
            statuses: one_of(&filter.statuses),
            kinds: one_of(&filter.kinds),
            outcomes: one_of(&filter.outcomes),
            projects: match (loosely, exactly) {
                (Some(loosely), Some(exactly)) => {
                    Some(loosely.iter().zip(&exactly).map(|(one, other)| *one && *other).collect())
                }
                (loosely, exactly) => loosely.or(exactly),
            },
        })
    }

    fn has(&self, facets: &Facets) -> bool {
        let fits = |wanted: &Option<Vec<bool>>, label: u32| {
            let is_wanted = |wanted: &Vec<bool>| wanted.get(label as usize).copied().unwrap_or(false);
            label != 0 && wanted.as_ref().is_none_or(is_wanted)
        };
        fits(&self.statuses, facets.status)
            && fits(&self.kinds, facets.kind)
            && fits(&self.outcomes, facets.outcome)
            && fits(&self.projects, facets.project)
    }
}

fn slots_with_tags(connection: &Connection, tags: &[String]) -> rusqlite::Result<Option<HashSet<Slot>>> {
    if tags.is_empty() {
        return Ok(None);
    }
    let mut select = connection.prepare_cached("SELECT slot FROM tagged WHERE tag = ?1")?;
    let mut slots = HashSet::new();
    for tag in tags {
        for slot in select.query_map([tag.to_lowercase()], |row| row.get(0))? {
            slots.insert(slot?);
        }
    }
    Ok(Some(slots))
}

fn of_session(connection: &Connection, filter: &NoteFilter) -> rusqlite::Result<Option<HashSet<Slot>>> {
    let Some(session) = &filter.session else { return Ok(None) };
    let mut select =
        connection.prepare_cached("SELECT slot FROM note WHERE session = ?1 AND session <> ''")?;
    select.query_map([session], |row| row.get(0))?.collect::<Result<_, _>>().map(Some)
}
