//! Numbers that are not plain 64-bit integers: their nearest double, and their exact text.

/// A number with a fraction, an exponent or more digits than 64 bits hold, with its text.
#[derive(Clone, Copy, Debug)]
pub struct Float<'a> {
    nearest: f64,
    text: &'a str,
}

impl<'a> Float<'a> {
    /// Takes text that the parser has found to be a JSON number.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        Some(Self { nearest: text.parse().ok()?, text })
    }

    /// The number as it was written.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The nearest double; `None` when the number lies beyond all of them.
    pub fn finite(&self) -> Option<f64> {
        self.nearest.is_finite().then_some(self.nearest)
    }

    /// Whether the number, as written, has no fractional part: `1.0`, `1e3` and `2.5e1` have none.
    pub fn is_integral(&self) -> bool {
        let decimal = Decimal::of(self.text);
        decimal.is_zero() || decimal.places() <= decimal.trailing_zeros()
    }

    /// The exact integer, if the number is one and fits.
    pub fn as_i128(&self) -> Option<i128> {
        let decimal = Decimal::of(self.text);
        if decimal.is_zero() {
            return Some(0);
        }
        let places = decimal.places();
        if places > decimal.trailing_zeros() {
            return None;
        }
        let mut value: i128 = 0;
        let kept = decimal.digit_count() - places;
        // Leading zeros aside, an i128 has 39 digits; `0.000…1e400` may have more to skip, but not more than its text.
        if kept > MOST_DIGITS + decimal.leading_zeros() {
            return None;
        }
        let digits = decimal.digits().chain(std::iter::repeat(b'0'));
        for digit in digits.take(usize::try_from(kept).ok()?) {
            value = value.checked_mul(10)?.checked_sub(i128::from(digit - b'0'))?;
        }
        if decimal.negative { Some(value) } else { value.checked_neg() }
    }
}

impl PartialEq for Float<'_> {
    fn eq(&self, other: &Self) -> bool {
        Decimal::of(self.text).equals(&Decimal::of(other.text))
    }
}

/// Number text taken apart: `-` whole `.` fraction `e` exponent.
struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    fn of(text: &'a str) -> Self {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let bound = if exponent.starts_with('-') { -FARTHEST } else { FARTHEST };
        // An exponent beyond i64 only has to stay beyond everything else.
        let exponent = exponent.parse::<i64>().unwrap_or(bound).clamp(-FARTHEST, FARTHEST);
        Self { negative, whole, fraction, exponent }
    }

    fn digits(&self) -> impl DoubleEndedIterator<Item = u8> + use<'a> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    fn digit_count(&self) -> i64 {
        length(self.whole) + length(self.fraction)
    }

    fn is_zero(&self) -> bool {
        self.digits().all(|digit| digit == b'0')
    }

    /// How many of the digits stand behind the point once the exponent is applied; negative when zeros follow.
    fn places(&self) -> i64 {
        length(self.fraction) - self.exponent
    }

    fn trailing_zeros(&self) -> i64 {
        count(self.digits().rev().take_while(|digit| *digit == b'0'))
    }

    fn leading_zeros(&self) -> i64 {
        count(self.digits().take_while(|digit| *digit == b'0'))
    }

    /// The digits without the zeros at both ends.
    fn significant(&self) -> impl Iterator<Item = u8> + use<'a> {
        let skipped = usize::try_from(self.leading_zeros()).unwrap_or(usize::MAX);
        let kept = self.digit_count() - self.leading_zeros() - self.trailing_zeros();
        self.digits().skip(skipped).take(usize::try_from(kept).unwrap_or(0))
    }

    fn equals(&self, other: &Self) -> bool {
        if self.is_zero() || other.is_zero() {
            return self.is_zero() && other.is_zero();
        }
        self.negative == other.negative
            && self.places() - self.trailing_zeros() == other.places() - other.trailing_zeros()
            && self.significant().eq(other.significant())
    }
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

fn count(digits: impl Iterator<Item = u8>) -> i64 {
    i64::try_from(digits.count()).unwrap_or(i64::MAX)
}

/// An `i128` has at most 39 digits.
const MOST_DIGITS: i64 = 39;
/// Larger than any text is long, small enough to add to a length.
const FARTHEST: i64 = 1 << 48;

#[cfg(test)]
mod tests {
    use super::Float;

    fn check(text: &str, integral: bool, exact: Option<i128>) {
        let float = Float::of(text).unwrap();
        assert_eq!(float.is_integral(), integral, "{text}");
        assert_eq!(float.as_i128(), exact, "{text}");
    }

    #[test]
    fn a_number_without_fractional_part_is_an_integer_however_written() {
        check("1.0", true, Some(1));
        check("-1.0", true, Some(-1));
        check("1e3", true, Some(1000));
        check("2.5e1", true, Some(25));
        check("250e-1", true, Some(25));
        check("0.0", true, Some(0));
        check("-0", true, Some(0));
        check("0e999999999999999999999", true, Some(0));
        check("1.00000000000000000001", false, None);
        check("1e-1", false, None);
        check("25e-1", false, None);
        check("1e-999999999999999999999", false, None);
        check("0.5", false, None);
    }

    #[test]
    fn large_numbers_are_exact_or_absent_and_never_overflow() {
        check("18446744073709551616", true, Some(1 << 64));
        check("170141183460469231731687303715884105727", true, Some(i128::MAX));
        check("-170141183460469231731687303715884105728", true, Some(i128::MIN));
        check("170141183460469231731687303715884105728", true, None);
        check("1e38", true, Some(10_i128.pow(38)));
        check("1e39", true, None);
        check("1e999999", true, None);
        check("1e999999999999999999999", true, None);
        check(&format!("0.{}1e41", "0".repeat(40)), true, Some(1));
        check(&"9".repeat(5000), true, None);
    }

    #[test]
    fn equality_is_of_the_numbers_not_of_their_text() {
        for (left, right, equal) in [
            ("1.0", "1e0", true),
            ("100e-2", "1.000", true),
            ("-0.0", "0e5", true),
            ("1.5", "-1.5", false),
            ("18446744073709551616", "18446744073709551617", false),
            ("1e400", "10e399", true),
            ("1e400", "1e401", false),
            ("0.1", "0.10000000000000000001", false),
        ] {
            assert_eq!(Float::of(left) == Float::of(right), equal, "{left} and {right}");
        }
    }
}
