//! Hints in policies: what is said of a tool, and what has to hold of one.

use haft_diag::Diagnostic;
use haft_policy::{Hint, HintCondition, HintConditions, Hints};
use toml::de::DeValue;

use crate::report::Report;
use crate::table::{Fields, Keys, expected};

/// What is said of a tool under `key`; nothing when the key is absent.
pub(super) fn read(fields: &Fields<'_, '_>, key: &str, report: &mut Report) -> Option<Hints> {
    let fields = fields.table(key, &KEYS, report)?;
    let mut hints = Hints::default();
    for hint in Hint::ALL {
        hints.set(hint, fields.boolean(hint.name(), report));
    }
    Some(hints)
}

/// The same of an operator, who has to say something, and nothing that contradicts itself.
pub(super) fn read_pins(fields: &Fields<'_, '_>, key: &str, report: &mut Report) -> Option<Hints> {
    let hints = read(fields, key, report)?;
    let value = fields.find(key)?;
    let place = value.span();
    if hints.read_only == Some(true) && hints.destructive == Some(true) {
        let diagnostic = Diagnostic::error("a tool that only reads cannot be destructive");
        report.add(place, diagnostic);
        return None;
    }
    if matches!(value.get_ref(), DeValue::Table(table) if table.is_empty()) {
        report.error(place, format!("`{key}` says nothing"));
    }
    Some(hints)
}

/// `hints` in `when`.
pub(super) fn read_conditions(when: &Fields<'_, '_>, report: &mut Report) -> HintConditions {
    let mut conditions = HintConditions::default();
    let Some(fields) = when.table("hints", &KEYS, report) else { return conditions };
    for hint in Hint::ALL {
        let Some(value) = fields.find(hint.name()) else { continue };
        let condition = match value.get_ref() {
            DeValue::Boolean(value) => HintCondition::Is(*value),
            DeValue::String(text) if text == "absent" => HintCondition::Absent,
            _ => {
                expected(hint.name(), "true, false or \"absent\"", value, report);
                continue;
            }
        };
        conditions.set(hint, Some(condition));
    }
    conditions
}

const KEYS: Keys = Keys::new("`hints`", &["read_only", "destructive", "idempotent", "open_world"]);
