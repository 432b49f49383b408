//! A compiled schema: checked and measured once, then used for every value.

use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::cost::Effort;
use crate::defaults::Defaults;
use crate::document::{Document, refuse_draft07_forms};
use crate::patterns::Patterns;
use crate::representation::Borrowed;
use crate::{
    CompileOptions, Cost, Dialect, Ownership, Problems, SchemaError, Tree, defaults, example, explain, validator,
};

/// A JSON Schema, ready to check values. Cloning shares it.
#[derive(Clone)]
pub struct Schema(Arc<Compiled>);

struct Compiled {
    source: Box<RawValue>,
    value: Value,
    dialect: Dialect,
    cost: Cost,
    effort: Effort,
    max_work: u64,
    validator: Validator<Borrowed>,
    backtracks: bool,
    defaults: Option<Defaults>,
    example: OnceLock<Option<String>>,
}

impl Schema {
    /// Reads, measures and compiles a schema. Nothing is fetched, whatever it refers to.
    ///
    /// # Errors
    ///
    /// When the schema is not valid under its metaschema, speaks another dialect than 2020-12 or draft-07, refers to
    /// something outside of itself or to nothing, goes round in circles, exceeds a limit, or has a pattern that cannot
    /// be used. With [`Ownership::Own`] also when it uses forms of draft-07 without saying so, or has a default that
    /// does not fit.
    pub fn compile(source: &RawValue, options: &CompileOptions) -> Result<Self, SchemaError> {
        let bytes = source.get().len();
        if bytes > options.max_bytes {
            return Err(SchemaError::TooLarge { bytes, limit: options.max_bytes });
        }
        let tree = Tree::parse(source.get())?;
        let value = tree.to_value().map_err(|number| {
            SchemaError::invalid("", format!("the number {number} lies beyond all that can be compared"))
        })?;
        let dialect = Dialect::of(&value)?;
        if options.object_root && value.get("type").and_then(Value::as_str) != Some("object") {
            return Err(SchemaError::RootNotObject);
        }
        let document = Document::read(&value, dialect)?;
        if options.ownership == Ownership::Own {
            refuse_draft07_forms(&document)?;
        }
        let (cost, effort) = Cost::of(&document, bytes, options)?;
        let built = validator::build(&document)?;
        if options.ownership == Ownership::Own {
            defaults::refuse_unfit(&document)?;
        }
        let patterns = Patterns::of(&document, built.backtracks);
        let defaults = Defaults::of(&document);
        drop(document);
        Ok(Self(Arc::new(Compiled {
            source: source.to_owned(),
            value,
            dialect,
            cost,
            effort: effort.with(patterns),
            max_work: options.max_work,
            validator: built.validator,
            backtracks: built.backtracks,
            defaults,
            example: OnceLock::new(),
        })))
    }

    /// Whether a value fits. The fast way, for every call.
    #[inline]
    pub fn is_valid(&self, tree: &Tree<'_>) -> bool {
        self.0.effort_of(tree).is_none() && self.0.validator.is_valid(tree)
    }

    /// Whether a value would take longer to check than is allowed; [`Schema::is_valid`] is `false` for it.
    ///
    /// For whoever has to tell a value that does not fit from one of which that cannot be said.
    #[inline]
    pub fn is_too_costly(&self, tree: &Tree<'_>) -> bool {
        self.0.effort_of(tree).is_some()
    }

    /// Whether a value fits, and if not, everything that is wrong with it, up to [`Problem::MOST`](crate::Problem::MOST).
    ///
    /// # Errors
    ///
    /// When the value does not fit.
    pub fn check(&self, tree: &Tree<'_>) -> Result<(), Problems> {
        if let Some(problem) = self.0.effort_of(tree) {
            return Err(Problems { list: vec![problem], more: false, example: None });
        }
        if self.0.validator.is_valid(tree) {
            return Ok(());
        }
        Err(self.0.explain(tree))
    }

    /// Adds the defaults of absent properties: at the root, and in objects that are there and reached by `properties`.
    ///
    /// `tree` is what [`Tree::parse`] made of `text`. Everything already in the text stays as it is, byte for byte; the
    /// new members stand at the end of their object. `None` when nothing is to be added.
    pub fn fill_defaults(&self, text: &str, tree: &Tree<'_>) -> Option<String> {
        self.0.defaults.as_ref()?.fill(text, tree)
    }

    /// A small value that fits, as JSON text, if one can be made up.
    pub fn example(&self) -> Option<&str> {
        self.0.example()
    }

    /// The text that was compiled.
    pub fn source(&self) -> &RawValue {
        &self.0.source
    }

    /// The dialect that the schema speaks.
    pub fn dialect(&self) -> Dialect {
        self.0.dialect
    }

    /// What checking a value may cost.
    pub fn cost(&self) -> Cost {
        self.0.cost
    }

    /// Whether some pattern needs look-around or back-references, which no engine matches in linear time.
    ///
    /// Such patterns stop after a fixed number of steps; a string that needs more does not match.
    pub fn backtracks(&self) -> bool {
        self.0.backtracks
    }
}

impl Compiled {
    /// The problem of a value that would take too long to check.
    #[inline]
    fn effort_of(&self, tree: &Tree<'_>) -> Option<crate::Problem> {
        if self.effort.is_trivial() {
            return None;
        }
        self.effort.refuse(tree, self.max_work)
    }

    #[cold]
    fn explain(&self, tree: &Tree<'_>) -> Problems {
        // The document borrows the schema; reading it again is what keeping it would cost in memory.
        let Ok(document) = Document::read(&self.value, self.dialect) else {
            return explain::unexplained(tree);
        };
        let mut problems = explain::explain(&document, tree);
        problems.example = self.example().map(str::to_owned);
        problems
    }

    fn example(&self) -> Option<&str> {
        let make = || {
            let document = Document::read(&self.value, self.dialect).ok()?;
            example::of(&document, |tree| self.validator.is_valid(tree))
        };
        self.example.get_or_init(make).as_deref()
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema")
            .field("source", &self.0.source.get())
            .field("dialect", &self.0.dialect)
            .field("cost", &self.0.cost)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod garbage;
#[cfg(test)]
mod tests;
