//! The object of the arguments while the words come in.

use haft_diag::escape;

use super::ArgumentProblem;
use super::exact::quote;
use super::schema::{Kind, Schemas};
use super::text::read;
use super::word::Given;

/// An object: its members in the order in which they were first named.
#[derive(Default)]
pub(super) struct Tree<'s> {
    members: Vec<(String, Node<'s>)>,
}

enum Node<'s> {
    Leaf { key: String, schemas: Schemas<'s>, given: Vec<Given> },
    Object(Tree<'s>),
}

impl<'s> Tree<'s> {
    /// Adds what one word says to the member at `path`.
    pub(super) fn place(
        &mut self,
        key: &str,
        path: &[String],
        schemas: Schemas<'s>,
        given: Given,
    ) -> Result<(), ArgumentProblem> {
        let Some((name, rest)) = path.split_first() else { return Ok(()) };
        let position = self.members.iter().position(|(known, _)| known == name);
        let position = position.unwrap_or_else(|| {
            let fresh = if rest.is_empty() {
                Node::Leaf { key: key.to_owned(), schemas: schemas.clone(), given: Vec::new() }
            } else {
                Node::Object(Tree::default())
            };
            self.members.push((name.clone(), fresh));
            self.members.len() - 1
        });
        match self.members.get_mut(position) {
            Some((_, Node::Object(inner))) if !rest.is_empty() => inner.place(key, rest, schemas, given),
            Some((_, Node::Leaf { given: before, .. })) if rest.is_empty() => {
                before.push(given);
                Ok(())
            }
            _ => {
                let problem = ArgumentProblem::new(key, "given as a whole and by its members");
                Err(problem.hint(format!("leave out one of them, or give `{}` with `:=`", escape(name))))
            }
        }
    }

    /// The JSON of the object; what does not fit is added to the problems.
    pub(super) fn render(&self, problems: &mut Vec<ArgumentProblem>) -> String {
        let mut members = Vec::new();
        for (name, node) in &self.members {
            let value = match node {
                Node::Object(inner) => inner.render(problems),
                Node::Leaf { key, schemas, given } => match leaf(key, schemas, given) {
                    Ok(json) => json,
                    Err(problem) => {
                        problems.push(problem);
                        continue;
                    }
                },
            };
            members.push(format!("{}:{value}", quote(name)));
        }
        format!("{{{}}}", members.join(","))
    }
}

fn leaf(key: &str, schemas: &Schemas<'_>, given: &[Given]) -> Result<String, ArgumentProblem> {
    if let [one] = given {
        return match one {
            Given::Exact(json) => Ok(json.clone()),
            Given::Text(text) => read(key, text, schemas),
            Given::TextOfFile(text) => read(key, text_of_file(text, schemas), schemas),
        };
    }
    if given.iter().any(|given| matches!(given, Given::Exact(_))) {
        let problem = ArgumentProblem::new(key, "given more than once, and `:=` gives the whole value");
        return Err(problem.hint(format!("one `{}:=[…]` gives an array", escape(key))));
    }
    if !schemas.allows(Kind::Array) {
        return Err(ArgumentProblem::new(key, format!("given {} times, but it takes one value", given.len())));
    }
    let mut elements = Vec::new();
    for (index, given) in given.iter().enumerate() {
        let schemas = schemas.element(index);
        elements.push(match given {
            Given::Exact(json) => json.clone(),
            Given::Text(text) => read(key, text, &schemas)?,
            Given::TextOfFile(text) => read(key, text_of_file(text, &schemas), &schemas)?,
        });
    }
    Ok(format!("[{}]", elements.join(",")))
}

/// A string is the file as it is. Other values are what a person wrote into it, whose editor ended the line.
fn text_of_file<'t>(text: &'t str, schemas: &Schemas<'_>) -> &'t str {
    let is_string = schemas.allows(Kind::String) || schemas.is_free() || schemas.element(0).allows(Kind::String);
    if is_string { text } else { text.trim_end_matches(['\r', '\n']) }
}
