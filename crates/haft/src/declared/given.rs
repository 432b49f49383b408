//! The arguments of a call as generated code reads them.

use haft_schema::{Problem, Tree};

use super::argument::Argument;

/// The arguments of a call, which fit the input schema and have their defaults.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    tree: &'a Tree<'a>,
    is_whole: bool,
}

impl<'a> Given<'a> {
    pub(super) const fn new(tree: &'a Tree<'a>, is_whole: bool) -> Self {
        Self { tree, is_whole }
    }

    /// One argument. Absent is `null` to the type, so that an `Option` is `None`.
    ///
    /// # Errors
    ///
    /// When the value does not fit the type.
    pub fn read<T: Argument>(self, name: &str) -> Result<T, Box<Problem>> {
        let value = self.tree.get(name).unwrap_or(&Tree::Null);
        value.deserialize().map_err(|problem| below(name, problem))
    }

    /// One argument that has a default. The server fills it in; this is for whoever calls the tool without a server.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub fn read_or<T: Argument>(self, name: &str, default: impl FnOnce() -> T) -> Result<T, Box<Problem>> {
        match self.tree.get(name) {
            None => Ok(default()),
            Some(_) => self.read(name),
        }
    }

    /// An argument that is alone, and may be the whole of the arguments.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub fn read_lone<T: Argument>(self, name: &str) -> Result<T, Box<Problem>> {
        if self.is_whole { self.tree.deserialize() } else { self.read(name) }
    }
}

/// Puts the place of a problem below the argument's name (RFC 6901).
fn below(name: &str, mut problem: Box<Problem>) -> Box<Problem> {
    problem.pointer.insert_str(0, &format!("/{}", name.replace('~', "~0").replace('/', "~1")));
    problem
}
