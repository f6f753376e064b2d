/// One tracked span: `start end project`, minutes since midnight.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub start: u32,
    pub end: u32,
    pub project: String,
}

impl Entry {
    pub fn minutes(&self) -> u32 {
        self.end - self.start
    }
}

pub fn parse(text: &str) -> Vec<Entry> {
    text.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<Entry> {
    let mut words = line.split_whitespace();
    let start = clock(words.next()?)?;
    let end = clock(words.next()?)?;
    let project = words.next()?.to_string();
    Some(Entry { start, end, project })
}

fn clock(word: &str) -> Option<u32> {
    let (hours, minutes) = word.split_once(':')?;
    Some(hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?)
}
