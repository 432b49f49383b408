//! What a VS Code file wants to be asked for: `inputs` and `${input:id}`.

use serde_json::Value;

use super::TargetError;
use super::error::listed;
use super::surroundings::Surroundings;

/// One element of `inputs`.
pub(super) struct Input {
    id: String,
    description: String,
    default: Option<String>,
    /// What a `pickString` lets a person choose from.
    options: Option<Vec<String>>,
    /// VS Code runs one of its own commands to get the value.
    is_command: bool,
}

/// The value of an input.
pub(super) struct Answer {
    pub(super) text: String,
    /// By the person; the default is the file's own.
    pub(super) is_given: bool,
}

impl Input {
    /// The elements of `inputs` that have an id; what is malformed is said in `notes`.
    pub(super) fn read(inputs: Option<&Value>, notes: &mut Vec<String>) -> Vec<Self> {
        let Some(inputs) = inputs else { return Vec::new() };
        let Some(elements) = inputs.as_array() else {
            notes.push("`inputs` is not an array, so there are none".to_owned());
            return Vec::new();
        };
        let text = |element: &Value, key: &str| element.get(key).and_then(Value::as_str).map(str::to_owned);
        let mut read = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            let Some(id) = text(element, "id") else {
                notes.push(format!("`inputs[{index}]` has no `id`, so nothing can refer to it"));
                continue;
            };
            let options = element.get("options").and_then(Value::as_array).map(|options| {
                let value = |option: &Value| option.as_str().map(str::to_owned).or_else(|| text(option, "value"));
                options.iter().filter_map(value).collect()
            });
            read.push(Self {
                id,
                description: text(element, "description").unwrap_or_default(),
                default: text(element, "default"),
                options: options.filter(|_| text(element, "type").as_deref() == Some("pickString")),
                is_command: text(element, "type").as_deref() == Some("command"),
            });
        }
        read
    }

    /// The value of `${input:id}`: from the answers, else from the environment, else the default.
    pub(super) fn answer(
        inputs: &[Self],
        id: &str,
        surroundings: &Surroundings<'_>,
        place: &str,
        notes: &mut Vec<String>,
    ) -> Result<Answer, TargetError> {
        let input = inputs.iter().find(|input| input.id == id);
        let variable = variable_of(id);
        let given = surroundings.inputs.get(id).cloned().or_else(|| (surroundings.environment)(&variable));
        let shown = haft_diag::escape(id);
        if let Some(given) = given {
            let options = input.and_then(|input| input.options.as_ref());
            if let Some(options) = options.filter(|options| !options.contains(&given)) {
                return Err(TargetError::Value {
                    place: format!("{place}: the input `{shown}`"),
                    expected: format!("one of {}", listed(options)),
                    found: "another text".to_owned(),
                });
            }
            return Ok(Answer { text: given, is_given: true });
        }
        if let Some(default) = input.and_then(|input| input.default.clone()) {
            notes.push(format!("{place}: the input `{shown}` has its default; `--input {shown}=…` gives another"));
            return Ok(Answer { text: default, is_given: false });
        }
        let description = input.map(|input| input.description.as_str()).filter(|text| !text.is_empty());
        let description = description.map_or_else(String::new, |text| format!(" ({})", haft_diag::escape(text)));
        let command = input.is_some_and(|input| input.is_command);
        let command = if command { "; VS Code takes it from a command of its own" } else { "" };
        let remedy = format!(
            "give it{description}: `--input {shown}=…`, or the variable `{variable}`, which others cannot see{command}"
        );
        Err(TargetError::Unset { place: place.to_owned(), variable: format!("${{input:{id}}}"), remedy })
    }
}

fn variable_of(id: &str) -> String {
    let letter = |character: char| if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' };
    format!("HAFT_INPUT_{}", id.chars().map(letter).collect::<String>())
}
