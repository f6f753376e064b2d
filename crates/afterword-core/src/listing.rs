//! Several things in one sentence.

/// "a", "a and b", "a, b and c"; nothing for none.
pub fn join_with_and<T: Into<String>>(items: impl IntoIterator<Item = T>) -> String {
    let mut items: Vec<String> = items.into_iter().map(Into::into).collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_has_its_and() {
        assert_eq!(join_with_and([""; 0]), "");
        assert_eq!(join_with_and(["a"]), "a");
        assert_eq!(join_with_and(["a", "b"]), "a and b");
        assert_eq!(join_with_and(["a", "b", "c"]), "a, b and c");
    }
}
