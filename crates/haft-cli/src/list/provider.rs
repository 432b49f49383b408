//! Definitions for the API of a model.

use haft_client::Tools;
use haft_client::bridge::{Provider, definitions, shown_names};
use haft_diag::escape;

use crate::arguments::Api;
use crate::failure::Failure;
use crate::printer;

/// Prints an array of definitions; what became of the names goes to stderr.
pub(super) fn print(api: Api, tools: &Tools) -> Result<(), Failure> {
    let provider = match api {
        Api::Anthropic => Provider::Anthropic,
        Api::Openai => Provider::OpenAi,
    };
    let names: Vec<&str> = tools.list.iter().map(|tool| tool.definition().name.as_str()).collect();
    let shown = shown_names(&names);
    for (name, shown) in names.iter().zip(&shown).filter(|(name, shown)| **name != **shown) {
        printer::tell(&format!("// `{shown}` stands for `{}`\n", escape(name)));
    }
    let array = definitions(provider, tools.list.iter().map(|tool| tool.definition()).zip(&shown));
    printer::json(&array)?;
    Ok(())
}
