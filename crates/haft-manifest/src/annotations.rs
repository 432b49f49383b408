//! `annotations`: hints about what a tool does.

use haft_diag::Diagnostic;
use haft_wire::model::Annotations;

use crate::report::Report;
use crate::table::{Fields, Keys};

/// Reads the annotations of a tool. What is not said stays unsaid.
pub(crate) fn read(tool: &Fields<'_, '_>, report: &mut Report) -> Annotations {
    let mut annotations = Annotations::default();
    let Some(fields) = tool.table("annotations", &KEYS, report) else { return annotations };
    annotations.title = fields.text("title", report).map(str::to_owned);
    annotations.read_only = fields.boolean("read_only", report);
    annotations.destructive = fields.boolean("destructive", report);
    annotations.idempotent = fields.boolean("idempotent", report);
    annotations.open_world = fields.boolean("open_world", report);
    if annotations.read_only == Some(true) && annotations.destructive == Some(true) {
        let place = fields.find("destructive").map_or_else(|| fields.place(), toml::Spanned::span);
        let diagnostic = Diagnostic::error("a tool that only reads cannot be destructive");
        report.add(place, diagnostic.label("contradicts `read_only = true`"));
    }
    annotations
}

const KEYS: Keys = Keys::new("`annotations`", &["title", "read_only", "destructive", "idempotent", "open_world"]);
