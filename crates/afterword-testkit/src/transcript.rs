//! Small transcripts in the form that client 2.1.197 writes, for what real recordings do not hold.

/// How the entries of a session are written.
#[derive(Debug, Clone)]
pub struct Transcript<'a> {
    session: &'a str,
    folder: String,
    hour: u32,
    uuid_start: String,
}

impl<'a> Transcript<'a> {
    /// Of this session, in `/home/ada/shop` from ten o'clock on. The uuids are numbers, the same in every session: what two
    /// sessions of one test say at one place is known as the same entry, as it is of a session and its fork.
    pub fn new(session: &'a str) -> Self {
        Self { session, folder: "/home/ada/shop".to_owned(), hour: 10, uuid_start: "00000000".to_owned() }
    }

    /// The same with uuids that no other session has.
    pub fn with_own_uuids(mut self) -> Self {
        let tail = self.session.len().saturating_sub(8);
        self.uuid_start = format!("{:0>8}", &self.session[tail..]);
        self
    }

    /// The same from this hour on.
    pub fn from_hour(mut self, hour: u32) -> Self {
        self.hour = hour;
        self
    }

    /// The same in another folder.
    pub fn in_folder(mut self, folder: &str) -> Self {
        folder.clone_into(&mut self.folder);
        self
    }

    /// An entry of this type with this message, which is JSON. Its number is its second.
    pub fn entry(&self, number: usize, kind: &str, message: &str) -> String {
        let folder = serde_json::to_string(&self.folder).unwrap();
        format!(
            "{{\"isSidechain\":false,\"userType\":\"external\",\"cwd\":{folder},\"sessionId\":\"{}\",\
             \"version\":\"2.1.197\",\"gitBranch\":\"main\",\"uuid\":\"{}-0000-4000-8000-{number:012}\",\
             \"timestamp\":\"2026-03-01T{:02}:{:02}:{:02}.000Z\",\"type\":\"{kind}\",\"message\":{message}}}\n",
            self.session,
            self.uuid_start,
            self.hour,
            number / 60 % 60,
            number % 60
        )
    }

    /// An entry in which the person types something.
    pub fn typed(&self, number: usize, text: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        self.entry(number, "user", &format!("{{\"role\":\"user\",\"content\":{text}}}"))
    }

    /// An entry in which the agent says something.
    pub fn answered(&self, number: usize, text: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        let message = format!(
            "{{\"id\":\"msg_{number}\",\"role\":\"assistant\",\"model\":\"claude-opus-4-6\",\
             \"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}"
        );
        self.entry(number, "assistant", &message)
    }

    /// A short session in which the person gives this rule; `from` keeps the entries of two sessions apart.
    pub fn with_rule(&self, from: usize, rule: &str) -> Vec<String> {
        vec![
            self.typed(from, "add the discount column to the orders table"),
            self.answered(from + 1, "I added the column and edited the old migration in place."),
            self.typed(from + 2, rule),
            self.answered(from + 3, "Understood."),
        ]
    }

    /// A short session in which the person gives one standing rule.
    pub fn with_a_rule(&self) -> Vec<String> {
        vec![
            self.typed(1, "add the discount column to the orders table"),
            self.answered(2, "I added the column and edited the old migration in place."),
            self.typed(
                3,
                "No. From now on never edit a migration that is merged, always add a new migration file.",
            ),
            self.answered(4, "Understood. I reverted it and added a new migration."),
        ]
    }
}

/// [`Transcript::typed`] of a session as it is without further ado.
pub fn typed(session: &str, number: usize, text: &str) -> String {
    Transcript::new(session).typed(number, text)
}

/// [`Transcript::answered`] of one.
pub fn answered(session: &str, number: usize, text: &str) -> String {
    Transcript::new(session).answered(number, text)
}

/// [`Transcript::with_rule`] of one.
pub fn with_rule(session: &str, from: usize, rule: &str) -> Vec<String> {
    Transcript::new(session).with_rule(from, rule)
}

/// [`Transcript::with_a_rule`] of one.
pub fn with_a_rule(session: &str) -> Vec<String> {
    Transcript::new(session).with_a_rule()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn an_entry_is_one_line_of_json() {
        let transcript = Transcript::new("0f0e0d0c-1111-4222-8333-444455556666")
            .with_own_uuids()
            .from_hour(9)
            .in_folder("C:\\work");
        let line = transcript.typed(61, "say \"yes\"\nand go on");
        assert_eq!(line.lines().count(), 1);
        let entry: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(entry["cwd"], "C:\\work");
        assert_eq!(entry["uuid"], "55556666-0000-4000-8000-000000000061");
        assert_eq!(entry["timestamp"], "2026-03-01T09:01:01.000Z");
        assert_eq!(entry["message"]["content"], "say \"yes\"\nand go on");
    }
}
