//! Reshaping a catalogue by data, compiled when it is built: nothing of it runs per call but hidden constants.

use std::sync::Arc;

use haft_wire::model::ToolName;
use serde_json::Value;

use super::entry::{Draft, SourceId, Visibility};
use crate::build::BuildError;
use crate::tool::Tool;

/// One change to what is shown. Tools are named as the transforms before have left them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Transform {
    /// Fixes an argument and hides it from callers.
    Constant {
        /// The tool.
        tool: String,
        /// The argument, a property at the root of the input schema.
        argument: String,
        /// Its value.
        value: Value,
    },
    /// Says something else to the model.
    Describe {
        /// The tool.
        tool: String,
        /// The description that is shown.
        description: String,
    },
    /// Takes a tool out of the list and out of reach.
    Hide {
        /// The tool.
        tool: String,
    },
    /// Puts a prefix before every name of a source.
    Namespace {
        /// The source.
        source: SourceId,
        /// The prefix, with its separator.
        prefix: String,
    },
    /// Shows a tool under another name.
    Rename {
        /// The tool.
        tool: String,
        /// The name that is shown.
        name: String,
    },
    /// Shows a tool only to some.
    Restrict {
        /// The tool.
        tool: String,
        /// To whom.
        visibility: Visibility,
    },
}

impl Transform {
    /// The tool that the transform is about.
    fn tool(&self) -> Option<&str> {
        match self {
            Self::Constant { tool, .. }
            | Self::Describe { tool, .. }
            | Self::Hide { tool }
            | Self::Rename { tool, .. }
            | Self::Restrict { tool, .. } => Some(tool),
            Self::Namespace { .. } => None,
        }
    }
}

/// Applies all transforms to one tool; `None` when it ends hidden.
pub(super) fn apply(
    source: &SourceId,
    tool: &Arc<dyn Tool>,
    transforms: &[Transform],
) -> Result<Option<Draft>, BuildError> {
    let mut draft = Draft {
        source: source.clone(),
        tool: Arc::clone(tool),
        shown: tool.definition().clone(),
        visibility: Visibility::Everybody,
        constants: Vec::new(),
    };
    for transform in transforms {
        if transform.tool().is_some_and(|name| name != draft.shown.name.as_str()) {
            continue;
        }
        match transform {
            Transform::Constant { argument, value, .. } => fix(&mut draft, argument, value)?,
            Transform::Describe { description, .. } => draft.shown.description = Some(description.clone()),
            Transform::Hide { .. } => return Ok(None),
            Transform::Namespace { source: of, prefix } if of == source => {
                draft.shown.name = ToolName::parse(&format!("{prefix}{}", draft.shown.name))?;
            }
            Transform::Namespace { .. } => {}
            Transform::Rename { name, .. } => draft.shown.name = ToolName::parse(name)?,
            Transform::Restrict { visibility, .. } => draft.visibility = visibility.clone(),
        }
    }
    Ok(Some(draft))
}

/// Refuses transforms that are about no tool at all: a misspelt name must not leave a tool in the open.
pub(super) fn check_names(
    sources: &[(SourceId, Vec<Arc<dyn Tool>>)],
    transforms: &[Transform],
) -> Result<(), BuildError> {
    for (position, transform) in transforms.iter().enumerate() {
        let Some(name) = transform.tool() else { continue };
        let before = transforms.get(..position).unwrap_or_default();
        let mut is_known = false;
        for (source, tools) in sources {
            for tool in tools {
                let draft = apply(source, tool, before)?;
                is_known |= draft.is_some_and(|draft| draft.shown.name.as_str() == name);
            }
        }
        if !is_known {
            return Err(BuildError::Transform { tool: name.to_owned(), reason: "there is no such tool".to_owned() });
        }
    }
    Ok(())
}

/// Takes an argument out of the schema that is shown and keeps its value for every call.
fn fix(draft: &mut Draft, argument: &str, value: &Value) -> Result<(), BuildError> {
    let refuse = |reason: &str| BuildError::Transform {
        tool: draft.shown.name.to_string(),
        reason: format!("{reason} `{argument}`"),
    };
    let mut schema: Value = serde_json::from_str(draft.shown.input_schema.get()).unwrap_or_default();
    let known = schema.get_mut("properties").and_then(Value::as_object_mut).and_then(|all| all.remove(argument));
    if known.is_none() {
        return Err(refuse("its input schema has no property"));
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name.as_str() != Some(argument));
    }
    let shown = serde_json::value::to_raw_value(&schema).map_err(|_| refuse("no schema is left without"))?;
    draft.shown.input_schema = shown;
    draft.constants.push((argument.to_owned(), value.to_string()));
    Ok(())
}
