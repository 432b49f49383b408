//! Did-you-mean: the known name that a mistyped one most likely stands for.

/// The candidate that `name` most likely stands for, if any is near enough.
///
/// A candidate that differs only in case, `-` or `_` wins at once. Otherwise the one with the fewest edits (insert,
/// delete, replace, swap of neighbours), as long as these are at most a third of the name and something of it is left. Last, a name that is the
/// beginning of exactly one candidate, or the other way round. Equal rivals are decided by the alphabet, so the answer
/// does not depend on the order of the candidates. A name longer than 64 characters has no neighbour.
///
/// # Example
///
/// ```
/// assert_eq!(haft_diag::nearest("limt", ["query", "limit"]), Some("limit"));
/// assert_eq!(haft_diag::nearest("maxResults", ["max_results"]), Some("max_results"));
/// assert_eq!(haft_diag::nearest("colour", ["limit"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().nth(LONGEST_NAME).is_some() {
        return None;
    }
    let wanted = Forms::of(name);
    let allowed = wanted.lower.len().max(3) / 3;
    let mut same: Option<&'a str> = None;
    let mut closest: Option<(usize, &'a str)> = None;
    let mut begun: Option<&'a str> = None;
    let mut begun_by_many = false;
    for candidate in candidates {
        if candidate.chars().nth(LONGEST_NAME).is_some() {
            continue;
        }
        let known = Forms::of(candidate);
        if known.bare == wanted.bare && !known.bare.is_empty() {
            same = Some(same.map_or(candidate, |earlier| earlier.min(candidate)));
        }
        let edits = distance(&wanted.lower, &known.lower);
        let some_left = edits < wanted.lower.len().min(known.lower.len());
        if edits <= allowed && some_left && closest.is_none_or(|best| (edits, candidate) < best) {
            closest = Some((edits, candidate));
        }
        if known.begins_or_continues(&wanted) {
            begun_by_many |= begun.is_some_and(|earlier| earlier != candidate);
            begun = Some(candidate);
        }
    }
    same.or(closest.map(|(_, candidate)| candidate)).or(begun.filter(|_| !begun_by_many))
}

/// What of a name counts: its letters in lower case, with and without the separators.
struct Forms {
    lower: Vec<char>,
    bare: Vec<char>,
}

impl Forms {
    fn of(name: &str) -> Self {
        let lower: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
        let bare = lower.iter().copied().filter(|letter| !matches!(letter, '-' | '_')).collect();
        Self { lower, bare }
    }

    fn begins_or_continues(&self, other: &Self) -> bool {
        let shorter = self.bare.len().min(other.bare.len());
        shorter >= SHORTEST_BEGINNING && (self.bare.starts_with(&other.bare) || other.bare.starts_with(&self.bare))
    }
}

/// Damerau-Levenshtein distance (optimal string alignment) over three rows.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, &letter) in left.iter().enumerate() {
        let mut current = Vec::with_capacity(right.len() + 1);
        current.push(row + 1);
        for (column, &other) in right.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&above, column) + usize::from(letter != other);
            let mut best = replaced.min(at(&above, column + 1) + 1).min(at(&current, column) + 1);
            let swapped =
                row > 0 && column > 0 && left.get(row - 1) == Some(&other) && right.get(column - 1) == Some(&letter);
            if swapped {
                best = best.min(at(&before, column - 1) + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(left.len())
}

/// Names beyond this are not typing errors, and comparing them costs the square of their length.
const LONGEST_NAME: usize = 64;
/// A shared beginning shorter than this says nothing.
const SHORTEST_BEGINNING: usize = 3;

#[cfg(test)]
mod tests {
    use super::nearest;

    fn check(name: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(name, candidates.iter().copied()), expected, "{name} among {candidates:?}");
        assert_eq!(nearest(name, candidates.iter().rev().copied()), expected, "{name}, candidates reversed");
    }

    #[test]
    fn nearest_finds_the_name_that_was_meant() {
        check("limt", &["query", "limit"], Some("limit"));
        check("qurey", &["query", "limit"], Some("query"));
        check("Query", &["query", "quest"], Some("query"));
        check("maxResults", &["max_results", "max_result"], Some("max_results"));
        check("max-results", &["maxResults"], Some("maxResults"));
        check("lim", &["limit", "query"], Some("limit"));
        check("path_to_file", &["path", "mode"], Some("path"));
        check("straße", &["strasse", "strase"], Some("strase"));
    }

    #[test]
    fn nearest_says_nothing_when_no_name_is_near() {
        check("colour", &["limit", "query"], None);
        check("", &["limit"], None);
        check("a", &["limit"], None);
        check("a", &["b", "ab"], None);
        check("_", &["-"], None);
        check("que", &["query", "quest"], None);
        check("limit", &[], None);
        check(&"a".repeat(65), &["a"], None);
        check("limit", &[&"limit".repeat(20)], None);
    }

    #[test]
    fn equal_rivals_are_decided_by_the_alphabet() {
        check("bat", &["cat", "hat"], Some("cat"));
        check("ID", &["id", "i_d"], Some("i_d"));
    }
}
