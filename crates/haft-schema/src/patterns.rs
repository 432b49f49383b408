//! How long matching a pattern may take, read off the pattern.
//!
//! The linear engine is linear in the text, but with a factor that grows with the pattern: a thousand states against a
//! megabyte take half a minute. So texts are weighed before they are matched.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use serde_json::Value;

use crate::document::Document;

/// What the patterns of a schema may cost on the texts of a value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patterns {
    /// The heaviest pattern for strings.
    values: Pattern,
    /// All patterns that a member name is matched with.
    names: Pattern,
    /// With look-around or back-references: in how many powers of the length the time may grow.
    degree: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    /// States that may be followed at once.
    states: u64,
    /// Bytes after which the engine knows that the text is too long.
    longest: u64,
}

impl Patterns {
    /// Weighs all patterns of a document; `backtracks` when some need the engine with look-around.
    pub(crate) fn of(document: &Document<'_>, backtracks: bool) -> Self {
        let mut patterns = Self::default();
        let mut nesting = 0;
        for node in document.nodes() {
            let Some(schema) = node.value.as_object() else {
                continue;
            };
            let mut heaviest = Pattern::default();
            if let Some(Value::String(pattern)) = schema.get("pattern") {
                heaviest = Pattern::of(pattern);
                nesting = nesting.max(look_around(pattern));
            }
            // A schema for names is not told apart from one for strings: its patterns count for both.
            patterns.values = patterns.values.or(heaviest);
            let mut names = heaviest;
            if let Some(Value::Object(named)) = schema.get("patternProperties") {
                for pattern in named.keys() {
                    names = names.and(Pattern::of(pattern));
                    nesting = nesting.max(look_around(pattern));
                }
            }
            patterns.names = patterns.names.or(names);
        }
        patterns.degree = backtracks.then_some(nesting + 1);
        patterns
    }

    /// Whether even the longest text that transports let through is matched soon.
    pub(crate) fn are_light(&self) -> bool {
        self.degree.is_none() && self.values.states <= FEW_STATES && self.names.states <= FEW_STATES
    }

    /// The work of matching a string.
    pub(crate) fn on_value(&self, text: &str) -> u64 {
        self.work(self.values, text)
    }

    /// The work of matching a member name.
    pub(crate) fn on_name(&self, name: &str) -> u64 {
        self.work(self.names, name)
    }

    fn work(&self, pattern: Pattern, text: &str) -> u64 {
        let length = text.len() as u64;
        let linear = length.min(pattern.longest).saturating_mul(pattern.states) / STATES_PER_STEP;
        match self.degree {
            Some(degree) => length.saturating_pow(degree).saturating_add(linear).saturating_add(BACKTRACKING),
            None => linear,
        }
    }
}

impl Pattern {
    fn of(pattern: &str) -> Self {
        // ECMA-262 reads `\w` and `\d` as ASCII; only what names Unicode properties needs the large tables.
        let ascii = ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern);
        let Some(expression) = ascii.ok().or_else(|| regex_syntax::parse(pattern).ok()) else {
            // Look-around is not parsed here; its length is all that is known.
            return Self { states: pattern.len() as u64 * 4, longest: u64::MAX };
        };
        if is_counted(&expression) {
            return Self { states: 1, longest: u64::MAX };
        }
        let anchored = expression.properties().look_set_prefix().contains(Look::Start);
        let longest = expression.properties().maximum_len().filter(|_| anchored);
        // A character has up to four bytes, and the parse above may have counted it as one.
        let longest = longest.map_or(u64::MAX, |bytes| (bytes as u64).saturating_mul(4).saturating_add(1));
        Self { states: states(&expression), longest }
    }

    fn or(self, other: Self) -> Self {
        let cost = |pattern: &Self| pattern.states.saturating_mul(pattern.longest.min(LONG_TEXT));
        if cost(&other) > cost(&self) { other } else { self }
    }

    fn and(self, other: Self) -> Self {
        Self { states: self.states.saturating_add(other.states), longest: self.longest.max(other.longest) }
    }
}

/// `^[class]{1,5000}$`: the validator counts characters for these.
fn is_counted(expression: &Hir) -> bool {
    let HirKind::Concat(parts) = expression.kind() else {
        return false;
    };
    let [start, middle, end] = parts.as_slice() else {
        return false;
    };
    let repeats_class = match middle.kind() {
        HirKind::Repetition(repetition) => matches!(repetition.sub.kind(), HirKind::Class(_)),
        _ => false,
    };
    repeats_class
        && matches!(start.kind(), HirKind::Look(Look::Start))
        && matches!(end.kind(), HirKind::Look(Look::End))
}

/// About how many states the engine makes of an expression.
fn states(expression: &Hir) -> u64 {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Class(Class::Unicode(class)) => class.ranges().len() as u64,
        HirKind::Repetition(repetition) => {
            let copies = repetition.max.unwrap_or_else(|| repetition.min.saturating_add(1));
            states(&repetition.sub).saturating_mul(u64::from(copies.max(1)))
        }
        HirKind::Capture(capture) => states(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().map(states).fold(0, u64::saturating_add),
    }
}

/// How deep look-around stands inside look-around: each level may go over the whole text for every step of the one
/// around it.
fn look_around(pattern: &str) -> u32 {
    let mut open: Vec<bool> = Vec::new();
    let mut deepest = 0;
    let mut in_class = false;
    let mut rest = pattern;
    while let Some(character) = rest.chars().next() {
        match character {
            '\\' => rest = rest.get(1..).unwrap_or_default(),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let looks = ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|kind| rest.starts_with(kind));
                open.push(looks);
                let depth = open.iter().filter(|looks| **looks).count();
                deepest = deepest.max(u32::try_from(depth).unwrap_or(u32::MAX));
            }
            ')' if !in_class => {
                open.pop();
            }
            _ => {}
        }
        let mut left = rest.chars();
        left.next();
        rest = left.as_str();
    }
    deepest
}

/// With so few states a megabyte takes milliseconds.
const FEW_STATES: u64 = 16;
/// A step of work, as a path on a value, is as long as this many states on a byte at their worst.
const STATES_PER_STEP: u64 = 4;
/// The steps of work that the bounded number of backtracks amounts to.
const BACKTRACKING: u64 = 20_000;
/// To compare patterns by what they cost on long texts.
const LONG_TEXT: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::{Pattern, look_around};

    #[test]
    fn patterns_are_weighed_by_their_states_and_their_reach() {
        for (pattern, states, longest) in [
            (r"\S", 1, u64::MAX),
            ("^abc$", 5, 13),
            (r"^[\s\S]{1,100000}$", 1, u64::MAX),
            (r"^[a-z][a-z0-9_-]{0,62}$", 65, 253),
            (r"^(a|b)*a(a|b){1000}$", 1004, u64::MAX),
            ("((a{10}){10}){10}", 1000, u64::MAX),
            ("^(a+)+$", 6, u64::MAX),
        ] {
            let weight = Pattern::of(pattern);
            assert_eq!((weight.states, weight.longest), (states, longest), "{pattern}");
        }
        assert!(Pattern::of(r"\p{L}{2}").states > 1000);
        assert_eq!(Pattern::of(r"(?=a{900})b").states, 44);
    }

    #[test]
    fn nested_look_around_is_counted() {
        for (pattern, depth) in
            [("abc", 0), ("(?:a)(b)", 0), ("(?=a)(?!b)", 1), ("(?=(?:(?<!x)a)*)", 2), (r"\(?=a\)[(?=]", 0), ("(?=", 1)]
        {
            assert_eq!(look_around(pattern), depth, "{pattern}");
        }
    }
}
