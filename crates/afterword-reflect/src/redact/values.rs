//! Judges whether a string in the place of a secret is one, or a stand-in, a reference or an ordinary word.

use std::sync::LazyLock;

/// Words that say a value is a stand-in.
#[rustfmt::skip]
const STAND_IN_WORDS: &[&str] = &[
    "your", "yours", "example", "sample", "dummy", "fake", "mock", "mocked", "stub", "placeholder",
    "changeme", "change", "changeit", "replace", "replaceme", "insert", "enter", "todo", "tbd", "fixme",
    "redacted", "hidden", "masked", "removed", "here", "none", "null", "undefined", "nil", "true", "false",
    "string", "required", "optional", "default", "value", "foo", "bar", "baz", "test", "testing", "demo",
    "xxx", "something", "whatever", "fixture", "unset", "empty", "invalid",
];

/// Marks of a value that is fetched from elsewhere when the program runs.
#[rustfmt::skip]
const REFERENCE_MARKS: &[&str] = &[
    "${", "$(", "{{", "}}", "#{", "<%", "%(", "process.env", "import.meta", "os.environ", "getenv",
    "environ[", "ENV[", "env.", "Env.", "secrets.", "vars.", "config.", "settings.", "arn:aws", "vault:",
];

/// Tells whether a token's body is only filler such as `xxxx` or `****`, or one sign behind a prefix: `glc_2222…=`.
pub(super) fn is_filler(body: &str) -> bool {
    !body.is_empty()
        && (body.bytes().all(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'?' | b'#'))
            || is_prefix_and_one_sign(body))
}

/// Longest prefix of a token that stands before one sign again and again, and fewest of these.
const PREFIX: usize = 5;
const REPEATED: usize = 24;

/// Tells whether a value is a prefix and one digit or small letter, as manuals show what a key looks like.
fn is_prefix_and_one_sign(value: &str) -> bool {
    let body = value.trim_end_matches('=');
    let last = body.chars().last().filter(|sign| sign.is_ascii_digit() || sign.is_ascii_lowercase());
    last.is_some_and(|sign| {
        let prefix = body.trim_end_matches(sign);
        body.len() - prefix.len() >= REPEATED
            && prefix.len() <= PREFIX
            && prefix.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'))
    })
}

/// Tells whether a value stands in for a secret that is not there.
pub(super) fn is_stand_in(value: &str) -> bool {
    if is_filler(value) || value.starts_with(['<', '[', '{', '(']) || value.ends_with('>') {
        return true;
    }
    if ["...", "…", "***", "•••", "xxxx", "XXXX", "####"].iter().any(|mark| value.contains(mark)) {
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

/// Tells whether a value can hardly be anything but a token: long, in disorder, with digits, and no check sum or id.
pub(super) fn is_surely_issued(value: &str) -> bool {
    let checksum =
        matches!(value.len(), 40 | 56 | 64 | 96 | 128) && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    // A name with a check sum in it: `linux-npm-…`.
    let named = value.matches('-').count() >= 2
        && value.split('-').any(|part| part.len() >= 3 && part.bytes().all(|byte| byte.is_ascii_lowercase()));
    value.len() >= 16
        && !named
        && !checksum
        && !is_uuid(value)
        && !value.contains(['/', ':', ' ', '%'])
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && looks_generated(value)
        && !reads_as_identifier(value)
}

/// Tells whether a value is base64 of `user:password`.
pub(super) fn is_user_and_password(value: &str) -> bool {
    decode_base64(value).is_some_and(|plain| {
        plain.iter().all(|byte| (b' '..=b'~').contains(byte))
            && plain
                .iter()
                .position(|byte| *byte == b':')
                .is_some_and(|colon| colon > 0 && colon + 1 < plain.len())
    })
}

/// What a value in base64 says.
fn decode_base64(value: &str) -> Option<Vec<u8>> {
    let body = value.trim_end_matches('=');
    if body.len() < 6 || body.len() % 4 == 1 {
        return None;
    }
    let mut plain = Vec::with_capacity(body.len());
    let (mut bits, mut count) = (0_u32, 0);
    for byte in body.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            plain.push((bits >> count & 0xff) as u8);
        }
    }
    Some(plain)
}

/// Tells whether a value is a variable as programs number them: `input1`, `value2`.
pub(super) fn is_numbered_word(value: &str) -> bool {
    #[rustfmt::skip]
    const STEMS: &[&str] = &[
        "value", "val", "input", "arg", "args", "param", "var", "field", "data", "str", "text", "result", "res", "tmp",
        "temp", "item", "key", "user", "pw", "pass", "password", "secret", "token", "id", "name", "line", "row", "option",
        "opt", "config", "cfg", "env", "test", "string", "node", "ref", "state", "form", "other", "sha", "md", "base",
        "oauth", "pbkdf", "argon", "utf", "ipv", "http", "ed", "ec", "aes", "rsa", "tls", "step", "part", "version", "phase",
        "case", "section", "page", "chapter", "issue", "level", "type", "rule", "line", "figure", "table",
    ];
    let stem = value.trim_end_matches(|character: char| character.is_ascii_digit()).trim_end_matches('_');
    STEMS.iter().any(|known| known.eq_ignore_ascii_case(stem))
}

/// Tells whether a value is a version or a date: `v1.2.3-beta4`, `2026-11-22`, `16GB`.
pub(super) fn is_version(value: &str) -> bool {
    let body = value.trim_start_matches(['v', 'V', '~', '^', '>', '=', '<']);
    body.starts_with(|first: char| first.is_ascii_digit())
        && body.split(['.', '-', '–', '/', ':', '+', 'T', '_', ',']).all(|part| {
            let unit = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
            unit.is_empty()
                || unit.len() <= 5 && unit.bytes().all(|byte| byte.is_ascii_lowercase() || unit.len() <= 2)
        })
}

/// Tells whether a value is written as a UUID.
pub(super) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The entropy of a value in bits a character.
pub(super) fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = f64::from(u32::try_from(value.len()).unwrap_or(u32::MAX));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / length;
            -share * share.log2()
        })
        .sum()
}

/// Tells whether a value is words as programs join them, with digits only behind a word: `requiredCharacteristicIds2`.
///
/// Stricter than [`looks_generated`] turned round: letters in disorder are not words even without a digit.
pub(super) fn reads_as_identifier(value: &str) -> bool {
    words(value).all(|run| {
        let letters = run.trim_end_matches(|character: char| character.is_ascii_digit());
        letters.is_empty() && run.len() <= 6
            || !letters.is_empty() && run.len() - letters.len() <= 4 && camel_words(letters)
    })
}

/// Pairs of letters that make up most of English and its neighbours.
const COMMON_PAIRS: &[u8] = b"\
    therinenattehereesonstseoritandetiralelicondarusntchionsedngalicroomhtttascemevehacrtrnerimatagesiou\
    tpacpsearuimhiunfouturetelisoceclltoncwiilloctcapadipessprdoaprsieadmilartmpexbeplnatsnoowbuotblshld\
    emeifiodulwosufelykeaiabsoamidhotuopubgirypoyordhuwhaubaibnidaumirolrgzeigdsefmocstyptosayueweuiagsa\
    scrreeciepivviovevltppckfrucmlcuvapilsnn";

/// [`COMMON_PAIRS`] as a table, a row for each first letter.
static IS_COMMON_PAIR: LazyLock<[[bool; 26]; 26]> = LazyLock::new(|| {
    let mut table = [[false; 26]; 26];
    for pair in COMMON_PAIRS.chunks_exact(2) {
        table[usize::from(pair[0] - b'a')][usize::from(pair[1] - b'a')] = true;
    }
    table
});

/// Tells whether letters pair as those of words do; too few to tell count as words.
fn has_common_pairs(letters: &[u8]) -> bool {
    if letters.len() < 8 {
        return true;
    }
    let common = letters
        .windows(2)
        .filter(|pair| {
            let place = |letter: u8| usize::from(letter.to_ascii_lowercase() - b'a');
            IS_COMMON_PAIR[place(pair[0])][place(pair[1])]
        })
        .count();
    // Of letters in disorder a quarter pair so, of words three quarters; short ones stray further.
    let least = match letters.len() {
        ..12 => 30,
        12..20 => 40,
        _ => 45,
    };
    common * 100 >= (letters.len() - 1) * least
}

/// Tells whether letters are words in camel case that could be spoken.
fn camel_words(letters: &str) -> bool {
    let bytes = letters.as_bytes();
    if !bytes.iter().all(u8::is_ascii_alphabetic) || !has_common_pairs(bytes) {
        return false;
    }
    let starts = |index: usize| {
        index > 0
            && bytes[index].is_ascii_uppercase()
            && (bytes[index - 1].is_ascii_lowercase()
                || bytes.get(index + 1).is_some_and(u8::is_ascii_lowercase))
    };
    let mut short = 0;
    let mut start = 0;
    let vowel = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    for end in 1..=bytes.len() {
        if end < bytes.len() && !starts(end) {
            continue;
        }
        let word = &bytes[start..end];
        start = end;
        if word.len() < 3 {
            short += 1;
        } else if word.len() > 3
            && !(word.len() <= 5 && word.iter().all(u8::is_ascii_uppercase))
            && (!word.iter().any(vowel) || word.split(vowel).any(|consonants| consonants.len() > 4))
        {
            return false;
        }
    }
    short <= 1 + bytes.len() / 16
}

/// Tells whether a value looks made by a generator or has long runs of letters that do not pair as in words.
///
/// For places where a value stands alone; in code, names of many short parts pair as badly.
pub(super) fn looks_random(value: &str) -> bool {
    let disordered = |run: &str| {
        run.len() >= 10
            && run.bytes().all(|byte| byte.is_ascii_alphabetic())
            && !has_common_pairs(run.as_bytes())
    };
    looks_generated(value) || words(value).any(disordered)
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
    // One word may be short: `WebACLId`.
    letters.len() + 1 >= camel_words * 3 && longest_consonants < 6
}
