//! What a tool returned, printed: text as it is, files saved, data where there is no text.

use std::process::ExitCode;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use haft_diag::{Diagnostic, escape};
use haft_wire::model::{Content, ResourceContents, Returned};

use super::files;
use crate::arguments::Call;
use crate::failure::Failure;
use crate::json::pretty;
use crate::printer::{self, Printer};

/// Prints a result. The code is 1 when the tool says that it failed, or when a file of it could not be saved.
pub(super) fn print(call: &Call, tool: &str, returned: &Returned, printer: Printer) -> Result<ExitCode, Failure> {
    let result = &returned.result;
    let mut is_whole = true;
    if call.json {
        printer::json(&format!("{}\n", returned.raw.get()))?;
    } else {
        for content in &result.content {
            is_whole &= Part { call, tool, printer }.print(content)?;
        }
        let has_text = result.content.iter().any(|content| matches!(content, Content::Text(_)));
        if let Some(structured) = result.structured.as_deref().filter(|_| !has_text) {
            printer::json(&format!("{}\n", pretty(structured.get())))?;
        }
    }
    if result.is_error {
        printer::tell("the tool says that it failed\n");
    }
    Ok(if result.is_error || !is_whole { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

struct Part<'a> {
    call: &'a Call,
    tool: &'a str,
    printer: Printer,
}

impl Part<'_> {
    /// Prints one block; false when part of it is lost.
    fn print(&self, content: &Content) -> Result<bool, Failure> {
        match content {
            Content::Audio(audio) => self.save("audio", Some(&audio.mime_type), &audio.data),
            Content::Image(image) => self.save("image", Some(&image.mime_type), &image.data),
            Content::Resource(embedded) => match &embedded.resource {
                ResourceContents::Blob { uri, mime_type, blob } => {
                    self.save(&format!("resource {}", escape(uri)), mime_type.as_deref(), blob)
                }
                ResourceContents::Text { uri, text, .. } => {
                    printer::tell(&format!("resource {}:\n", escape(uri)));
                    lines(text)
                }
                _ => Ok(self.unknown("a resource")),
            },
            Content::ResourceLink(link) => {
                let kind = link.mime_type.as_deref().map(|kind| format!(", {}", escape(kind))).unwrap_or_default();
                let (name, uri) = (escape(&link.name), escape(&link.uri));
                printer::data(&format!("resource link: {uri} ({name}{kind})\n"))?;
                Ok(true)
            }
            Content::Text(text) => lines(&text.text),
            Content::Raw(raw) => {
                printer::json(&format!("{}\n", raw.get()))?;
                Ok(true)
            }
            _ => Ok(self.unknown("a block")),
        }
    }

    fn save(&self, what: &str, mime_type: Option<&str>, data: &str) -> Result<bool, Failure> {
        let folder = &self.call.output;
        let Ok(bytes) = STANDARD.decode(data) else {
            let diagnostic = Diagnostic::error(format!("{what} of the result is not base64, so it could not be saved"));
            self.printer.diagnostic(&diagnostic.hint("`--json` prints it as it came"));
            return Ok(false);
        };
        match files::save(folder, self.tool, mime_type, &bytes) {
            Ok(path) => {
                let kind = mime_type.map(|kind| format!("{}, ", escape(kind))).unwrap_or_default();
                let path = path.strip_prefix(".").unwrap_or(&path).display().to_string();
                printer::data(&format!("{what}: {} ({kind}{} bytes)\n", escape(&path), bytes.len()))?;
                Ok(true)
            }
            Err(error) => {
                let diagnostic = Diagnostic::error(format!("{what} of the result could not be saved"));
                let diagnostic = diagnostic.in_file(folder.display().to_string()).cause(error.to_string());
                self.printer.diagnostic(&diagnostic.hint("`--output DIR` saves elsewhere, `--json` prints all of it"));
                Ok(false)
            }
        }
    }

    fn unknown(&self, what: &str) -> bool {
        let diagnostic = Diagnostic::warning(format!("{what} of the result is of a kind that is not known here"));
        self.printer.diagnostic(&diagnostic.hint("`--json` prints all of it"));
        false
    }
}

/// Prints text, and ends its last line.
fn lines(text: &str) -> Result<bool, Failure> {
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    printer::text(&format!("{text}{end}"))?;
    Ok(true)
}
