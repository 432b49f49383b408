//! `${NAME}` from the environment, where the operator may use it: never in what a caller's values are placed into.

use haft_diag::Diagnostic;

use crate::report::Report;
use crate::table::{Value, string};

/// Looks up a variable of the environment that the server was started in.
pub(crate) type Environment<'e> = &'e dyn Fn(&str) -> Option<String>;

/// A text whose variables are expanded.
#[derive(Default)]
pub(crate) struct Expanded {
    pub(crate) text: String,
    /// Values that came from variables whose name says that they are secret.
    pub(crate) secrets: Vec<String>,
}

/// The string under this key with `${NAME}` replaced; `$${` stands for `${`.
pub(crate) fn expand(
    key: &str,
    value: &Value<'_>,
    environment: Environment<'_>,
    report: &mut Report,
) -> Option<Expanded> {
    let text = string(key, value, report)?;
    let mut expanded = Expanded::default();
    let mut position = 0;
    let mut is_complete = true;
    while let Some(found) = text.get(position..).and_then(|rest| rest.find("${")) {
        let dollar = position + found;
        let literal = text.get(position..dollar).unwrap_or_default();
        if let Some(before) = literal.strip_suffix('$') {
            expanded.text.push_str(before);
            expanded.text.push_str("${");
            position = dollar + 2;
            continue;
        }
        expanded.text.push_str(literal);
        let rest = text.get(dollar + 2..).unwrap_or_default();
        let Some(length) = rest.find('}') else {
            let place = report.place_within(&value.span(), text, &(dollar..text.len()));
            report.error(place, "`${` without `}`");
            return None;
        };
        let name = rest.get(..length).unwrap_or_default();
        position = dollar + 2 + length + 1;
        let Some(variable) = environment(name) else {
            let place = report.place_within(&value.span(), text, &(dollar..position));
            let diagnostic = Diagnostic::error(format!("`${{{name}}}` is not set in the environment"));
            report.add(place, diagnostic.hint(format!("set it before the server starts: `export {name}=…`")));
            is_complete = false;
            continue;
        };
        expanded.text.push_str(&variable);
        if says_secret(name) || says_secret(key) {
            expanded.secrets.push(variable);
        }
    }
    expanded.text.push_str(text.get(position..).unwrap_or_default());
    is_complete.then_some(expanded)
}

fn says_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["TOKEN", "SECRET", "PASSW", "KEY", "CREDENTIAL"].iter().any(|word| name.contains(word))
}
