//! Tables of expected decisions.

use std::ops::Range;
use std::path::Path;

use haft_policy::{Belief, Case, Expectation, Origin};
use toml::de::DeTable;

use super::hints;
use super::rule::{read_groups, verdict};
use crate::report::{ManifestErrors, Report};
use crate::table::{Fields, Keys, table};
use crate::{file, json};

/// Reads a table of expected decisions, for [`Case::check_all`](haft_policy::Case::check_all).
///
/// # Errors
///
/// When the file cannot be read, and as for [`parse_cases`].
pub fn load_cases(path: &Path) -> Result<Vec<Case>, ManifestErrors> {
    parse_cases(&file::read(path, "the table of expected decisions")?, path)
}

/// Reads the text of a table of expected decisions that stands at `path`.
///
/// # Errors
///
/// Everything that is wrong, with its place. A table without a case is wrong, too: it would always hold.
pub fn parse_cases(text: &str, path: &Path) -> Result<Vec<Case>, ManifestErrors> {
    let mut report = Report::new(path.display().to_string(), text);
    let mut cases = Vec::new();
    if let Some(root) = file::document(text, &mut report) {
        let fields = Fields::open(root.get_ref(), 0..0, &FILE_KEYS, &mut report);
        let tables = fields.tables("case", "[[case]]", &mut report);
        if tables.is_empty() && report.is_clean() {
            report.error(0..0, "there is no `[[case]]`");
        }
        for (number, (table, place)) in (1_usize..).zip(tables) {
            cases.extend(read(number, table, place, &mut report));
        }
    }
    report.finish()?;
    Ok(cases)
}

fn read(number: usize, entries: &DeTable<'_>, place: Range<usize>, report: &mut Report) -> Option<Case> {
    let fields = Fields::open(entries, place, &KEYS, report);
    fields.require("tool", report);
    let tool = fields.text("tool", report);
    let mut expectation = verdict("expect", &fields, report).map(Expectation::new);
    if let Some(expectation) = &mut expectation {
        expectation.rule = fields.text("rule", report).map(str::to_owned);
        expectation.is_visible = fields.boolean("visible", report);
    }
    let name = fields.text("name", report);
    let hints = hints::read(&fields, "hints", report);
    let pins = hints::read(&fields, "pins", report);
    let belief = fields.choice("belief", &["own", "believed", "untrusted"], report);
    let groups = read_groups("who", &fields, report);
    let interactive = fields.boolean("interactive", report);
    let arguments = fields.find("args").and_then(|value| {
        table("args", value, report)?;
        json::from_toml(value, report)
    });

    let tool = tool?;
    let origin = tool.split_once('.').map_or_else(|| Origin::local(tool), |(source, tool)| Origin::new(source, tool));
    let name = name.map_or_else(|| format!("case {number}: {tool}"), str::to_owned);
    let mut case = Case::new(name, origin, expectation?);
    case.hints = hints.unwrap_or_default();
    case.pins = pins.unwrap_or_default();
    case.groups = groups.unwrap_or_default();
    case.is_interactive = interactive.unwrap_or_default();
    case.arguments = arguments.or(case.arguments);
    case.belief = match belief {
        Some("own") => Belief::Own,
        Some("believed") => Belief::Believed,
        Some(_) => Belief::Untrusted,
        None => case.belief,
    };
    Some(case)
}

const FILE_KEYS: Keys = Keys::new("a table of expected decisions", &["case"]);

const KEYS: Keys = Keys::new(
    "a case",
    &["name", "tool", "hints", "belief", "pins", "args", "who", "interactive", "expect", "ask", "rule", "visible"],
);
