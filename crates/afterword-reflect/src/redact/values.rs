//! Judges whether a string in the place of a secret is one, or a stand-in, a reference or an ordinary word.

/// Words that say a value is a stand-in.
const STAND_IN_WORDS: &[&str] = &[
    "your",
    "yours",
    "example",
    "sample",
    "dummy",
    "fake",
    "mock",
    "mocked",
    "stub",
    "placeholder",
    "changeme",
    "change",
    "changeit",
    "replace",
    "replaceme",
    "insert",
    "enter",
    "todo",
    "tbd",
    "fixme",
    "redacted",
    "hidden",
    "masked",
    "removed",
    "here",
    "none",
    "null",
    "undefined",
    "nil",
    "true",
    "false",
    "string",
    "required",
    "optional",
    "default",
    "value",
    "foo",
    "bar",
    "baz",
    "test",
    "testing",
    "demo",
    "xxx",
    "something",
    "whatever",
    "fixture",
    "unset",
    "empty",
    "invalid",
];

/// Marks of a value that is fetched from elsewhere when the program runs.
const REFERENCE_MARKS: &[&str] = &[
    "${",
    "$(",
    "{{",
    "}}",
    "#{",
    "<%",
    "%(",
    "process.env",
    "import.meta",
    "os.environ",
    "getenv",
    "environ[",
    "ENV[",
    "env.",
    "Env.",
    "secrets.",
    "vars.",
    "config.",
    "settings.",
    "arn:aws",
    "vault:",
];

/// Tells whether a token's body is only filler such as `xxxx` or `****`.
pub(super) fn is_filler(body: &str) -> bool {
    !body.is_empty()
        && body.bytes().all(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'?' | b'#'))
}

/// Tells whether a value stands in for a secret that is not there.
pub(super) fn is_stand_in(value: &str) -> bool {
    if is_filler(value) || value.starts_with(['<', '[', '{', '(']) || value.ends_with('>') {
        return true;
    }
    if ["...", "…", "***", "•••", "xxxx", "XXXX"].iter().any(|mark| value.contains(mark)) {
        return true;
    }
    let mut bytes = value.bytes();
    let first = bytes.next();
    if bytes.all(|byte| Some(byte) == first) {
        return true;
    }
    words(value).any(|word| STAND_IN_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)))
        && !looks_generated(value)
}

/// Tells whether a value only names the place where the secret is kept.
pub(super) fn is_reference(value: &str) -> bool {
    let braced_name = value.find('{').is_some_and(|open| value[open..].contains('}'));
    braced_name || is_variable(value) || REFERENCE_MARKS.iter().any(|mark| value.contains(mark))
}

/// Tells whether a value is `$NAME`, `${NAME:-x}`, `%NAME%`, `&name`, `*name`, `!name` or `@name`.
fn is_variable(value: &str) -> bool {
    let Some(sign) = value.chars().next() else {
        return false;
    };
    let name = &value[sign.len_utf8()..];
    let starts_name =
        name.starts_with(|next: char| next.is_ascii_alphabetic() || matches!(next, '_' | '{' | '('));
    let only =
        |others: &[u8]| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte));
    match sign {
        '$' => starts_name && only(b"_{}():.-"),
        '%' => name.len() > 1 && name.ends_with('%') && only(b"_%"),
        '&' | '*' | '!' | '@' => starts_name && only(b"_.:") && !looks_generated(name),
        _ => false,
    }
}

/// Tells whether a value is a path or an address rather than a secret; a password inside an address has its own rule.
pub(super) fn is_location(value: &str) -> bool {
    if value.contains("://") {
        return true;
    }
    let bytes = value.as_bytes();
    let drive = bytes.len() > 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'\\' | b'/');
    let rooted = ["/", "./", "../", "~/", ".\\", "~"].iter().any(|root| value.starts_with(root));
    drive || rooted && !looks_generated(value) || has_file_extension(value) && !looks_generated(value)
}

fn has_file_extension(value: &str) -> bool {
    value.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (2..=5).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_lowercase())
    })
}

/// Tells whether a value is a number or a colour as programs write them: `22531u16`, `0x80041064`, `#ABB2BF`.
pub(super) fn is_number(value: &str) -> bool {
    let hexadecimal = |digits: &str, most: usize| {
        !digits.is_empty() && digits.len() <= most && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    if let Some(digits) = value.strip_prefix("0x").or_else(|| value.strip_prefix('#')) {
        return hexadecimal(digits, 16);
    }
    let digits = value.trim_start_matches(|digit: char| digit.is_ascii_digit() || matches!(digit, '_' | '.'));
    let unit = digits.trim_end_matches(|digit: char| digit.is_ascii_digit());
    digits.len() < value.len() && unit.len() == 1 && matches!(unit, "u" | "i" | "f") && digits.len() <= 4
}

/// Tells whether an unquoted value is code: a call, an index, a path through objects or modules.
pub(super) fn is_expression(value: &str) -> bool {
    let constant = value.contains('_')
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if constant || value.contains(['(', '[', '{', '<']) {
        return true;
    }
    let mut parts = value.split(['.', ':', '>', '?', '-']).filter(|part| !part.is_empty()).peekable();
    let joined = value.contains('.') || value.contains("::") || value.contains("->");
    parts.peek().is_some() && joined && parts.all(is_identifier) && !looks_generated(value)
}

/// Tells whether a value could be a name in a program.
pub(super) fn is_identifier(value: &str) -> bool {
    value.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Tells whether a value mixes letters with digits, as chosen passwords do.
pub(super) fn mixes_digits(value: &str) -> bool {
    value.len() >= 6
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
}

/// Tells whether a value has a sign inside it that prose and names do not have.
pub(super) fn mixes_signs(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() >= 6
        && bytes.iter().any(u8::is_ascii_alphabetic)
        && bytes[..bytes.len() - 1].iter().any(|byte| b"!@#$%^&*?+~".contains(byte))
}

/// Tells whether a value looks made by a generator: no words, but letters and digits or cases in disorder.
///
/// A length and an entropy alone would take long names for secrets; this asks how much of the value cannot be read as words.
pub(super) fn looks_generated(value: &str) -> bool {
    let mut odd = 0;
    let mut all = 0;
    for run in words(value) {
        all += run.len();
        if !reads_as_words(run) {
            odd += run.len();
        }
    }
    odd >= 8 || odd >= 6 && odd * 2 >= all
}

/// The runs of letters and digits in a value.
fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|character: char| !character.is_ascii_alphanumeric()).filter(|run| !run.is_empty())
}

/// Tells whether a run of letters and digits is a number, words in camel case, or a word with a number (`base64url`).
fn reads_as_words(run: &str) -> bool {
    let digits_at = |byte: &u8| byte.is_ascii_digit();
    let mut groups = run.as_bytes().chunk_by(|left, right| digits_at(left) == digits_at(right));
    match (groups.next(), groups.next(), groups.next(), groups.next()) {
        (Some(only), None, ..) => digits_at(&only[0]) || letters_read_as_words(only),
        (Some(first), Some(second), None, _) if digits_at(&second[0]) => {
            second.len() <= 5 && letters_read_as_words(first)
        }
        (Some(_), Some(unit), None, _) => unit.len() <= 3,
        (Some(first), Some(number), Some(last), None) if !digits_at(&first[0]) => {
            let short = run.len() <= 10 && first.len() >= 3 && last.len() >= 3;
            // `ed25519Seed`, `sha256Digest`
            let camel = number.len() <= 5
                && last.len() >= 3
                && last[0].is_ascii_uppercase()
                && last[1].is_ascii_lowercase();
            (short || camel) && letters_read_as_words(first) && letters_read_as_words(last)
        }
        _ => false,
    }
}

fn letters_read_as_words(letters: &[u8]) -> bool {
    if letters.len() <= 3 {
        return true;
    }
    let mut camel_words = 0;
    let mut consonants = 0;
    let mut longest_consonants = 0;
    for (index, letter) in letters.iter().enumerate() {
        let starts_word = index == 0
            || letter.is_ascii_uppercase()
                && (letters[index - 1].is_ascii_lowercase()
                    || letters.get(index + 1).is_some_and(u8::is_ascii_lowercase));
        camel_words += usize::from(starts_word);
        let vowel = matches!(letter.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
        consonants = if vowel || starts_word { 0 } else { consonants + 1 };
        longest_consonants = longest_consonants.max(consonants);
    }
    letters.len() >= camel_words * 3 && longest_consonants < 6
}
