//! Scalar products of rows of signed bytes: most of a search's time, so they are written for what every 64-bit processor
//! can do in one step, which is to multiply and add eight pairs of 16 bits.

use wide::{i16x8, i32x4};

/// A row with its bytes at even and at odd places apart, as 16 bits each, padded with zeros: the form in which it is
/// compared fastest.
#[derive(Debug, Clone, Default)]
pub struct Halves {
    parts: Vec<[i16x8; 2]>,
}

impl Halves {
    /// A row of signed bytes.
    pub fn of(row: &[u8]) -> Self {
        let mut halves = Self::default();
        halves.set(row);
        halves
    }

    /// Whole numbers, as rows have them.
    pub fn of_numbers(numbers: &[i8]) -> Self {
        Self::of(&numbers.iter().map(|number| number.cast_unsigned()).collect::<Vec<u8>>())
    }

    /// Takes another row in.
    pub(crate) fn set(&mut self, row: &[u8]) {
        let (chunks, rest) = row.as_chunks::<16>();
        self.parts.clear();
        self.parts.extend(chunks.iter().map(|chunk| apart(*chunk)));
        if !rest.is_empty() {
            self.parts.push(apart(padded(rest)));
        }
    }

    /// The scalar product with a row that was taken in; the shorter one decides how far it goes.
    pub fn dot(&self, other: &Self) -> i32 {
        let mut sum = i32x4::default();
        for ([even, odd], [other_even, other_odd]) in self.parts.iter().zip(&other.parts) {
            sum += even.dot(*other_even) + odd.dot(*other_odd);
        }
        sum.reduce_add()
    }

    /// The scalar product with a row as it lies in memory; the shorter one decides how far it goes.
    pub fn dot_row(&self, row: &[u8]) -> i32 {
        let (chunks, rest) = row.as_chunks::<16>();
        let mut sum = i32x4::default();
        for ([even, odd], chunk) in self.parts.iter().zip(chunks) {
            let [other_even, other_odd] = apart(*chunk);
            sum += even.dot(other_even) + odd.dot(other_odd);
        }
        if let Some([even, odd]) = self.parts.get(chunks.len()).filter(|_| !rest.is_empty()) {
            let [other_even, other_odd] = apart(padded(rest));
            sum += even.dot(other_even) + odd.dot(other_odd);
        }
        sum.reduce_add()
    }
}

/// Which byte of a pair is the even one depends on the machine, and is the same for every row.
fn apart(chunk: [u8; 16]) -> [i16x8; 2] {
    let pairs: i16x8 = bytemuck::cast(chunk);
    [(pairs << 8_u32) >> 8_u32, pairs >> 8_u32]
}

fn padded(rest: &[u8]) -> [u8; 16] {
    let mut chunk = [0; 16];
    chunk.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_plain_arithmetic() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut byte = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        };
        for length in (0..70).chain([256, 257, 384, 4095]) {
            let (one, other): (Vec<u8>, Vec<u8>) = (0..length).map(|_| (byte(), byte())).unzip();
            let product =
                |(one, other): (&u8, &u8)| i32::from(one.cast_signed()) * i32::from(other.cast_signed());
            let expected: i32 = one.iter().zip(&other).map(product).sum();
            let halves = Halves::of(&one);
            assert_eq!(
                (halves.dot_row(&other), halves.dot(&Halves::of(&other))),
                (expected, expected),
                "{length}"
            );
        }
        let lowest = [0x80; 4096];
        assert_eq!(Halves::of(&lowest).dot_row(&lowest), 4096 * 128 * 128);
    }

    #[test]
    fn shorter_row_decides() {
        let (short, long) = ([2; 16], [3; 40]);
        assert_eq!(Halves::of(&short).dot_row(&long), 96);
        assert_eq!(Halves::of(&long).dot_row(&short), 96);
        assert_eq!(Halves::of(&[]).dot_row(&long), 0);
    }
}
