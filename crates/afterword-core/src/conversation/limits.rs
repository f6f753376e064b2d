//! What a run may do and cost, and what of it goes beyond something that was allowed.

/// Tools that change nothing: what an agent may allow the work it asks for.
pub const READING_TOOLS: [&str; 5] = ["Read", "Grep", "Glob", "WebFetch", "WebSearch"];

/// What a run may do and cost.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLimits {
    /// Tools it may use, as Claude Code names them (`Read`, `Bash(git log:*)`); none unless named.
    pub allowed_tools: Vec<String>,
    /// Connections it may use, by name; none unless named.
    pub connections: Vec<String>,
    /// US dollars one run may cost.
    pub most_usd: f64,
    /// Seconds one run may take.
    pub most_seconds: u32,
}

impl Default for RunLimits {
    /// No tools, no connections, half a dollar, ten minutes.
    fn default() -> Self {
        Self { allowed_tools: Vec::new(), connections: Vec::new(), most_usd: 0.5, most_seconds: 600 }
    }
}

impl RunLimits {
    /// The first thing these limits permit that `allowed` does not, in words.
    pub fn first_widening(&self, allowed: &Self) -> Option<String> {
        if let Some(tool) = self.allowed_tools.iter().find(|tool| !allowed.permits(tool)) {
            return Some(format!("`{tool}` is not allowed"));
        }
        if let Some(name) = self.connections.iter().find(|name| !allowed.connections.contains(name)) {
            return Some(format!("the connection `{name}` is not allowed"));
        }
        if self.most_usd > allowed.most_usd {
            return Some(format!("a run may cost ${:.2} at most", allowed.most_usd));
        }
        let minutes = f64::from(allowed.most_seconds) / 60.0;
        (self.most_seconds > allowed.most_seconds)
            .then(|| format!("a run may take {minutes} minutes at most"))
    }

    /// A tool is permitted by its own name, and with any rule in parentheses where it is permitted without one.
    fn permits(&self, tool: &str) -> bool {
        let name = tool.split_once('(').map_or(tool, |(name, _)| name);
        self.allowed_tools.iter().any(|allowed| allowed == tool || allowed == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_beyond_is_named() {
        let limits = |tools: &[&str], connections: &[&str], most_usd, most_seconds| {
            let list = |names: &[&str]| names.iter().map(ToString::to_string).collect();
            RunLimits { allowed_tools: list(tools), connections: list(connections), most_usd, most_seconds }
        };
        let allowed = limits(&["Read", "Bash(git log:*)"], &["mail"], 0.5, 600);
        let check = |wanted: RunLimits, expected: Option<&str>| {
            assert_eq!(wanted.first_widening(&allowed).as_deref(), expected, "{wanted:?}");
        };
        check(allowed.clone(), None);
        check(limits(&["Read(src/**)"], &[], 0.1, 1), None);
        check(limits(&["Bash"], &[], 0.5, 600), Some("`Bash` is not allowed"));
        check(limits(&["Bash(git:*)"], &[], 0.5, 600), Some("`Bash(git:*)` is not allowed"));
        check(limits(&[], &["bank"], 0.5, 600), Some("the connection `bank` is not allowed"));
        check(limits(&[], &[], 0.51, 600), Some("a run may cost $0.50 at most"));
        check(limits(&[], &[], 0.5, 601), Some("a run may take 10 minutes at most"));
    }
}
