//! Where JSON strings and containers end, 64 bytes at a time.
//!
//! It owns the one hot loop of the room: most of a transcript is results nobody reads, to be passed over. The
//! method is that of simdjson (Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019): bit masks of
//! quotes, backslashes and brackets in a block, with the state of the last block carried over. It judges no
//! grammar. A plain loop in the tests says the same thing.

use wide::u8x16;

const BLOCK: usize = 64;

/// The position of the quote that closes the string whose first byte is at `from`.
pub(super) fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    // Keys, ids and times are short and hold no escape.
    let mut at = from;
    while at < from + BLOCK
        && let Some(lane) = bytes.get(at..at + 16)
    {
        let lane = load(lane);
        let quotes = equal(lane, b'"');
        let either = quotes | equal(lane, b'\\');
        if either != 0 {
            let first = either.trailing_zeros();
            if quotes & (1 << first) != 0 {
                return Some(at + first as usize);
            }
            break;
        }
        at += 16;
    }
    string_end_after(bytes, at, 0)
}

/// [`string_end`], where `escape` is 1 if the byte before `from` escapes the one there.
fn string_end_after(bytes: &[u8], from: usize, mut escape: u64) -> Option<usize> {
    let mut at = from;
    while let Some(block) = bytes.get(at..at + BLOCK) {
        let quotes = mask(block, b'"') & !escaped(mask(block, b'\\'), &mut escape);
        if quotes != 0 {
            return Some(at + quotes.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    let rest = pad_block(bytes.get(at..)?);
    let quotes = mask(&rest, b'"') & !escaped(mask(&rest, b'\\'), &mut escape);
    (quotes != 0).then(|| at + quotes.trailing_zeros() as usize)
}

/// The position after the bracket that closes the container whose inside begins at `from`, outside of any string.
pub(super) fn container_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut state = ContainerState { depth: 1, escape: 0, string: 0 };
    let mut at = from;
    while let Some(block) = bytes.get(at..at + BLOCK) {
        if let Some(end) = state.scan_block(block) {
            return Some(at + end + 1);
        }
        at += BLOCK;
        if state.string != 0 {
            // A string that goes on is likely a long one; its end is found with half the work.
            at = string_end_after(bytes, at, std::mem::take(&mut state.escape))? + 1;
            state.string = 0;
        }
    }
    let rest = pad_block(bytes.get(at..)?);
    state.scan_block(&rest).map(|end| at + end + 1)
}

/// What one block of a container leaves to the next.
struct ContainerState {
    depth: u64,
    escape: u64,
    /// All ones inside a string, else zero.
    string: u64,
}

impl ContainerState {
    /// Passes a block; gives the position of the bracket that closes the container, if it is there.
    fn scan_block(&mut self, block: &[u8]) -> Option<usize> {
        let quotes = mask(block, b'"') & !escaped(mask(block, b'\\'), &mut self.escape);
        let strings = prefix_xor(quotes) ^ self.string;
        // The sign of the last bit fills the word.
        self.string = (strings.cast_signed() >> 63).cast_unsigned();
        // `{` and `[`, `}` and `]` differ in one bit.
        let (opens, closes) = brackets(block);
        let (opens, mut closes) = (opens & !strings, closes & !strings);
        if u64::from(closes.count_ones()) < self.depth {
            self.depth += u64::from(opens.count_ones());
            self.depth -= u64::from(closes.count_ones());
            return None;
        }
        let mut closed = 0;
        while closes != 0 {
            let at = closes.trailing_zeros();
            closed += 1;
            let before = u64::from((opens & ((1 << at) - 1)).count_ones());
            if self.depth + before == closed {
                return Some(at as usize);
            }
            closes &= closes - 1;
        }
        self.depth = self.depth + u64::from(opens.count_ones()) - closed;
        None
    }
}

/// Which bytes a backslash before them escapes. `carry` is 1 if the last block's last byte escapes this one's first.
fn escaped(backslashes: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    if backslashes == 0 {
        return std::mem::take(carry);
    }
    // A run of backslashes escapes every other byte from its second on; subtraction finds where each run ends.
    let starts = backslashes & !*carry;
    let terminals = ((starts << 1) | ODD).wrapping_sub(starts) ^ ODD;
    let escaped = terminals ^ (backslashes | *carry);
    *carry = (terminals & backslashes) >> 63;
    escaped
}

/// Each bit becomes the parity of the bits up to it: set from an opening quote up to the closing one.
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

fn load(bytes: &[u8]) -> u8x16 {
    let mut lane = [0; 16];
    lane.copy_from_slice(bytes);
    u8x16::from(lane)
}

fn equal(lane: u8x16, byte: u8) -> u32 {
    lane.simd_eq(u8x16::splat(byte)).to_bitmask()
}

fn mask(block: &[u8], byte: u8) -> u64 {
    collect_bits(block, |lane| equal(lane, byte))
}

fn brackets(block: &[u8]) -> (u64, u64) {
    let folded = |lane: u8x16, byte| equal(lane | u8x16::splat(0x20), byte);
    (collect_bits(block, |lane| folded(lane, b'{')), collect_bits(block, |lane| folded(lane, b'}')))
}

fn collect_bits(block: &[u8], bits: impl Fn(u8x16) -> u32) -> u64 {
    let (lanes, _) = block.as_chunks::<16>();
    lanes.iter().rev().fold(0, |mask, lane| (mask << 16) | u64::from(bits(u8x16::from(*lane))))
}

/// The end of a line in a block of its own. Spaces mean nothing in it.
fn pad_block(rest: &[u8]) -> [u8; BLOCK] {
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn string_end_plainly(bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            match bytes.get(at)? {
                b'\\' => at += 2,
                b'"' => return Some(at),
                _ => at += 1,
            }
        }
    }

    fn container_end_plainly(bytes: &[u8], from: usize) -> Option<usize> {
        let (mut at, mut depth) = (from, 1);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => at = string_end_plainly(bytes, at + 1)?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Text of what matters only, so that every length of backslash run meets every place in a block.
    fn json_like() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => Just(b"\\".to_vec()),
            4 => Just(b"\"".to_vec()),
            1 => Just(b"{".to_vec()),
            1 => Just(b"]".to_vec()),
            1 => Just(b"}".to_vec()),
            3 => (0_usize..70).prop_map(|length| vec![b'a'; length]),
        ];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    /// Backslashes outside of strings are no JSON, and the two readings need not agree on them: they are left out.
    fn no_escape_outside(bytes: &[u8]) -> Vec<u8> {
        let (mut kept, mut inside, mut escaped) = (Vec::new(), false, false);
        for byte in bytes {
            if *byte == b'\\' && !inside {
                continue;
            }
            inside ^= *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            kept.push(*byte);
        }
        kept
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn strings_end_where_a_plain_loop_says(bytes in json_like(), from in 0_usize..80) {
            let from = from.min(bytes.len());
            prop_assert_eq!(string_end(&bytes, from), string_end_plainly(&bytes, from));
        }

        #[test]
        fn containers_end_where_a_plain_loop_says(bytes in json_like()) {
            let bytes = no_escape_outside(&bytes);
            prop_assert_eq!(container_end(&bytes, 0), container_end_plainly(&bytes, 0));
        }
    }
}
