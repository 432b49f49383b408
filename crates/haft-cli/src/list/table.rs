//! One line for each tool.

use haft_client::Tools;
use haft_diag::escape;

use crate::columns::{cut, padded, width_of};
use crate::policy::{Judge, effect, origin, unheeded};

/// The table, cut to `width` columns if there is a width.
pub(super) fn text(tools: &Tools, judge: &Judge, width: Option<usize>) -> String {
    let rows: Vec<[String; 4]> = tools
        .list
        .iter()
        .map(|tool| {
            let hints = judge.hints(tool);
            // The rest stands in `--long`.
            let claim = unheeded(tool, &hints).into_iter().find(|claim| KINDS.contains(claim));
            let note = claim.map(|claim| format!(" (claims {claim})")).unwrap_or_default();
            let description = tool.definition().description.as_deref().unwrap_or_default();
            [
                cut(&escape(&tool.definition().name), WIDEST_NAME),
                effect(&hints),
                format!("{}{note}", origin(&hints)),
                escape(first_sentence(description)).into_owned(),
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = ["TOOL", "MAY", "BY", "WHAT IT DOES"].map(str::to_owned);
    let mut widths = [0; 4];
    for row in rows.iter().chain([&head]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(width_of(cell));
        }
    }
    let [name, may, by, _] = widths;
    let line = |row: &[String; 4]| {
        let [tool, effect, origin, description] = row;
        let text = format!(
            "{}  {}  {}  {description}",
            padded(tool, name.min(WIDEST_COLUMN)),
            padded(effect, may),
            padded(origin, by)
        );
        let text = text.trim_end();
        format!("{}\n", width.map_or_else(|| text.to_owned(), |width| cut(text, width)))
    };
    std::iter::once(&head).chain(&rows).map(line).collect()
}

/// The first sentence, of the first line that has any.
pub(super) fn first_sentence(text: &str) -> &str {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let end = line.match_indices(". ").map(|(index, _)| index).find(|index| !is_abbreviation(line, *index));
    end.and_then(|end| line.get(..=end)).unwrap_or(line)
}

/// A dot after a single letter ends no sentence: `e.g. this`.
fn is_abbreviation(line: &str, dot: usize) -> bool {
    let word = line.get(..dot).unwrap_or_default().rsplit([' ', '.', '(']).next().unwrap_or_default();
    word.chars().count() <= 1
}

/// What the column before says.
const KINDS: [&str; 3] = ["read-only", "additive", "destructive"];
/// A name that is longer stands in `--long` and `--json`.
const WIDEST_NAME: usize = 128;
/// A longer name moves its own line only.
const WIDEST_COLUMN: usize = 40;

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn the_first_sentence_ends_with_a_dot_that_ends_one() {
        let cases = [
            ("Reads it. Not more.", "Reads it."),
            ("Reads e.g. this. Not more.", "Reads e.g. this."),
            ("\n  Reads it\nSecond line.", "Reads it"),
            ("Version 2.0 of it.", "Version 2.0 of it."),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(first_sentence(text), expected);
        }
    }
}
