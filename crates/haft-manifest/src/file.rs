//! The text of a file, and its syntax.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use haft_diag::Diagnostic;
use toml::Spanned;
use toml::de::DeTable;

use crate::report::{ManifestErrors, Report};

/// The text of a file that is called `what` in a message.
pub(crate) fn read(path: &Path, what: &str) -> Result<String, ManifestErrors> {
    let unreadable = |diagnostic| ManifestErrors::unreadable(path.display().to_string(), diagnostic);
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(Diagnostic::error(format!("cannot read {what}")).cause(error.to_string())))?;
    if bytes.len() as u64 > LARGEST {
        return Err(unreadable(Diagnostic::error(format!("{what} is larger than 4 MiB"))));
    }
    String::from_utf8(bytes)
        .map_err(|error| unreadable(Diagnostic::error(format!("{what} is not UTF-8")).cause(error.to_string())))
}

/// The tables of a text. Nothing, with a report, when its syntax is wrong: what is left then would give errors that
/// nobody made.
pub(crate) fn document<'i>(text: &'i str, report: &mut Report) -> Option<Spanned<DeTable<'i>>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        report.error(error.span().unwrap_or_default(), error.message());
    }
    report.is_clean().then_some(document)
}

/// More than anybody writes.
const LARGEST: u64 = 4 << 20;
