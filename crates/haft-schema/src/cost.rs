//! What checking a value may cost, known before any value comes.

use crate::document::{Applies, Circles, Document, Edge, Place};
use crate::patterns::Patterns;
use crate::problem::article;
use crate::{CompileOptions, Problem, SchemaError, Tree};

/// What a schema costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// How many schemas are tried on one place of a value, at most.
    ///
    /// Every alternative of `anyOf` and `oneOf`, every part of `allOf`, `if`, `then`, `else`, `not` and dependent
    /// schemas, and every target of `$ref` is a path of its own, and at deeper places these multiply. Properties and
    /// items do not add up, for each applies to another place; the largest of them counts. A schema without any of
    /// these has one path.
    pub paths: u64,
    /// How many schemas stand inside each other, references followed.
    pub depth: u64,
    /// How long the text is.
    pub bytes: usize,
}

/// How the effort of checking a value grows with the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// See [`Cost::paths`].
    paths: u64,
    /// For a schema that contains itself: how many schemas lie between two levels of the value.
    stride: Option<u64>,
    patterns: Patterns,
}

impl Effort {
    /// Takes the patterns of the schema into account.
    pub(crate) fn with(mut self, patterns: Patterns) -> Self {
        self.patterns = patterns;
        self
    }

    /// Whether no value that transports let through is too much.
    #[inline]
    pub(crate) fn is_trivial(&self) -> bool {
        self.stride.is_none() && self.paths <= FEW_PATHS && self.patterns.are_light()
    }

    /// The problem of a value that would take too much work or too much stack.
    pub(crate) fn refuse(&self, tree: &Tree<'_>, max_work: u64) -> Option<Problem> {
        let is_light = self.paths <= FEW_PATHS && self.patterns.are_light();
        if !is_light && self.work(tree).saturating_mul(self.paths) > max_work {
            let expected = "a smaller value, for this schema has many alternatives or long patterns";
            let got = "one that would take too long to check";
            return Some(Problem::new(String::new(), "work", expected.to_owned(), tree.kind()).got(got));
        }
        let stride = self.stride?;
        let depth = tree.depth() + 1;
        if depth.saturating_mul(stride) > MOST_LEVELS {
            let most = (MOST_LEVELS / stride).saturating_sub(1);
            let expected = format!("nesting of at most {most} levels, for this schema contains itself");
            let got = format!("{} with {} levels", article(tree.kind()), depth - 1);
            return Some(Problem::new(String::new(), "depth", expected, tree.kind()).got(got));
        }
        None
    }

    /// The work of going one path over a value: its parts, its length, and matching its texts.
    fn work(&self, tree: &Tree<'_>) -> u64 {
        let long = |text: &str| text.len() as u64 / BYTES_PER_STEP;
        match tree {
            Tree::Array(elements) => elements.iter().map(|element| self.work(element)).fold(1, u64::saturating_add),
            Tree::Object(object) => object.iter().fold(1, |sum, (name, value)| {
                sum.saturating_add(self.patterns.on_name(name)).saturating_add(self.work(value))
            }),
            Tree::String(text) => 1 + long(text) + self.patterns.on_value(text),
            Tree::Float(float) => 1 + long(float.text()),
            Tree::Null | Tree::Bool(_) | Tree::Integer(_) | Tree::Unsigned(_) => 1,
        }
    }
}

impl Cost {
    /// Measures a document and holds it against the limits, in time linear in its size.
    ///
    /// # Errors
    ///
    /// When a limit is exceeded, or a schema leads back to itself at the same place of the value.
    pub(crate) fn of(
        document: &Document<'_>,
        bytes: usize,
        options: &CompileOptions,
    ) -> Result<(Self, Effort), SchemaError> {
        let reached = document.reached_from_root();
        let circles = Circles::of(document);
        let endless = |place| SchemaError::Endless { pointer: document.pointer(place) };
        let mut measures = vec![Measure::default(); document.nodes().len()];
        let in_place = |_: Place, edge: &Edge<'_>| edge.applies == Applies::InPlace;
        for place in document.order(&reached, in_place).map_err(endless)? {
            Measure::at_one_place(document, place, &mut measures);
        }
        // Circles are cut where they go deeper into the value, so this order has none.
        let onward = |place: Place, edge: &Edge<'_>| match edge.applies {
            Applies::Nowhere => false,
            Applies::InPlace => true,
            _ => !circles.same(place, edge.target),
        };
        for place in document.order(&reached, onward).map_err(endless)? {
            Measure::below_too(document, place, &circles, &mut measures);
        }
        let root = measures.get(Document::ROOT).copied().unwrap_or_default();
        // Inside of a circle neither the nesting nor the chains of references are part of the depth of the root.
        let nested = reached.iter().filter_map(|place| {
            let chain = measures.get(*place)?.chain;
            Some(document.nodes().get(*place)?.level.max(chain))
        });
        let depth = nested.fold(root.depth, u64::max);
        if depth > options.max_depth {
            return Err(SchemaError::TooDeep { depth, limit: options.max_depth });
        }
        if root.paths > options.max_paths {
            return Err(SchemaError::TooManyPaths { paths: root.paths, limit: options.max_paths });
        }
        let within = reached.iter().filter(|place| circles.contains_itself(**place));
        let stride = within.filter_map(|place| measures.get(*place)).map(|measure| measure.chain).max();
        let cost = Self { paths: root.paths, depth, bytes };
        Ok((cost, Effort { paths: root.paths, stride, patterns: Patterns::default() }))
    }
}

/// What is known of one schema.
#[derive(Clone, Copy, Default)]
struct Measure {
    /// Paths at this place of the value alone.
    here: u64,
    /// Paths at this place or any below it, whichever has most.
    paths: u64,
    /// Levels of schemas, references followed.
    depth: u64,
    /// Levels of schemas that apply to the same place of the value.
    chain: u64,
    /// Whether some schema applies below this place.
    below: bool,
    /// Whether the schemas in place are tried twice.
    twice: bool,
}

impl Measure {
    /// Measures what applies to one place of a value, once the schemas in place are measured.
    fn at_one_place(document: &Document<'_>, place: Place, measures: &mut [Self]) {
        let mut measure = Self { chain: 1, ..Self::default() };
        let mut alone = true;
        for edge in document.edges(place) {
            match edge.applies {
                Applies::Nowhere => {}
                Applies::InPlace => {
                    let target = measures.get(edge.target).copied().unwrap_or_default();
                    measure.here = measure.here.saturating_add(target.here);
                    measure.chain = measure.chain.max(target.chain + 1);
                    alone = false;
                }
                _ => measure.below = true,
            }
        }
        // To know what is still unevaluated, the validator tries the schemas in place once more.
        if let Some(schema) = document.keywords(place)
            && (schema.contains_key("unevaluatedProperties") || schema.contains_key("unevaluatedItems"))
        {
            measure.twice = true;
            measure.here = measure.here.saturating_mul(2);
        }
        measure.here = measure.here.saturating_add(u64::from(alone || measure.below));
        if let Some(slot) = measures.get_mut(place) {
            *slot = measure;
        }
    }

    /// Adds what applies further down, once all schemas that are applied are measured.
    fn below_too(document: &Document<'_>, place: Place, circles: &Circles, measures: &mut [Self]) {
        let mut in_place = 0_u64;
        let mut depth = 0;
        let mut below = Below::default();
        for edge in document.edges(place) {
            let target = measures.get(edge.target).copied().unwrap_or_default();
            match edge.applies {
                Applies::Nowhere => {}
                Applies::InPlace => {
                    in_place = in_place.saturating_add(target.paths);
                    depth = depth.max(target.depth);
                }
                // The validator remembers what a schema of a circle said about an array or object, so each is tried
                // on it once, and no circle multiplies.
                _ if circles.same(place, edge.target) => below.add(edge, target.here),
                _ => {
                    below.add(edge, target.paths);
                    depth = depth.max(target.depth);
                }
            }
        }
        if let Some(measure) = measures.get_mut(place) {
            if measure.twice {
                in_place = in_place.saturating_mul(2);
            }
            let own = if measure.below { below.most().max(1) } else { u64::from(in_place == 0) };
            measure.paths = in_place.saturating_add(own);
            measure.depth = depth + 1;
        }
    }
}

/// Paths below a schema, by which part of a value they apply to.
#[derive(Default)]
struct Below {
    members: u64,
    members_too: u64,
    elements: u64,
    elements_too: u64,
    names: u64,
}

impl Below {
    fn add(&mut self, edge: &Edge<'_>, paths: u64) {
        match edge.applies {
            Applies::Member => self.members = self.members.max(paths),
            Applies::MemberToo => self.members_too = self.members_too.saturating_add(paths),
            Applies::Element => self.elements = self.elements.max(paths),
            Applies::ElementToo => self.elements_too = self.elements_too.saturating_add(paths),
            Applies::Name => self.names = self.names.max(paths),
            Applies::InPlace | Applies::Nowhere => {}
        }
    }

    fn most(&self) -> u64 {
        let members = self.members.saturating_add(self.members_too);
        let elements = self.elements.saturating_add(self.elements_too);
        members.max(elements).max(self.names)
    }
}

/// Up to here the number of values in a request, which transports bound, bounds the work as well.
const FEW_PATHS: u64 = 32;
/// Comparing or counting so many bytes takes as long as one path.
const BYTES_PER_STEP: u64 = 128;
/// Levels of schema on the stack; each takes some hundred bytes, and threads have two megabytes.
const MOST_LEVELS: u64 = 1_024;
