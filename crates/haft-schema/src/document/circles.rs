//! How the schemas of a document hang together: orders without circles, and where the circles are.

use super::{Applies, Document, Edge, Place};

impl<'s> Document<'s> {
    /// The schemas that checking a value can come to.
    pub(crate) fn reached_from_root(&self) -> Vec<Place> {
        let mut seen = vec![false; self.nodes.len()];
        let mut reached = vec![Self::ROOT];
        set(&mut seen, Self::ROOT, true);
        let mut next = 0;
        while let Some(place) = reached.get(next).copied() {
            next += 1;
            for edge in self.edges(place) {
                if edge.applies != Applies::Nowhere && seen.get(edge.target) == Some(&false) {
                    set(&mut seen, edge.target, true);
                    reached.push(edge.target);
                }
            }
        }
        reached
    }

    /// The given schemas, each after those that the followed edges lead to.
    ///
    /// # Errors
    ///
    /// A schema from which the followed edges lead round in a circle.
    pub(crate) fn order(
        &self,
        places: &[Place],
        follow: impl Fn(Place, &Edge<'s>) -> bool,
    ) -> Result<Vec<Place>, Place> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = vec![State::New; self.nodes.len()];
        let mut order = Vec::with_capacity(places.len());
        let mut walk = Vec::new();
        for &start in places {
            if states.get(start) == Some(&State::New) {
                walk.push((start, 0));
            }
            // A walk of its own instead of recursion: a chain of references may be as long as the text allows.
            while let Some((place, step)) = walk.pop() {
                let Some(edge) = self.edges(place).get(step) else {
                    set(&mut states, place, State::Done);
                    order.push(place);
                    continue;
                };
                set(&mut states, place, State::Open);
                walk.push((place, step + 1));
                if !follow(place, edge) {
                    continue;
                }
                match states.get(edge.target) {
                    Some(State::New) => walk.push((edge.target, 0)),
                    Some(State::Open) => return Err(place),
                    Some(State::Done) | None => {}
                }
            }
        }
        Ok(order)
    }
}

/// Which schemas lead to each other and back: the strongly connected components of the document.
pub(crate) struct Circles {
    /// The circle of each schema.
    of: Vec<usize>,
    /// For each circle, whether one can go round in it.
    real: Vec<bool>,
}

impl Circles {
    /// Tarjan's algorithm, again without recursion.
    pub(crate) fn of(document: &Document<'_>) -> Self {
        let count = document.nodes().len();
        let mut search = Search {
            document,
            index: vec![NONE; count],
            low: vec![NONE; count],
            open: Vec::new(),
            circles: Self { of: vec![NONE; count], real: Vec::new() },
            next: 0,
        };
        for start in 0..count {
            search.from(start);
        }
        search.circles
    }

    /// Whether two schemas lie in the same circle.
    pub(crate) fn same(&self, left: Place, right: Place) -> bool {
        get(&self.of, left) == get(&self.of, right)
    }

    /// Whether a schema leads back to itself.
    pub(crate) fn contains_itself(&self, place: Place) -> bool {
        self.real.get(get(&self.of, place)).copied().unwrap_or(false)
    }
}

struct Search<'d, 's> {
    document: &'d Document<'s>,
    index: Vec<usize>,
    low: Vec<usize>,
    open: Vec<Place>,
    circles: Circles,
    next: usize,
}

impl Search<'_, '_> {
    fn from(&mut self, start: Place) {
        if get(&self.index, start) != NONE {
            return;
        }
        let mut walk = vec![(start, 0)];
        while let Some((place, step)) = walk.pop() {
            if step == 0 {
                set(&mut self.index, place, self.next);
                set(&mut self.low, place, self.next);
                self.next += 1;
                self.open.push(place);
            }
            if let Some(edge) = self.document.edges(place).get(step) {
                walk.push((place, step + 1));
                let target = edge.target;
                if edge.applies == Applies::Nowhere {
                    continue;
                }
                if get(&self.index, target) == NONE {
                    walk.push((target, 0));
                } else if get(&self.circles.of, target) == NONE {
                    self.lower(place, get(&self.index, target));
                }
                continue;
            }
            if let Some(&(parent, _)) = walk.last() {
                self.lower(parent, get(&self.low, place));
            }
            if get(&self.low, place) == get(&self.index, place) {
                self.close(place);
            }
        }
    }

    fn lower(&mut self, place: Place, to: usize) {
        let lowest = get(&self.low, place).min(to);
        set(&mut self.low, place, lowest);
    }

    fn close(&mut self, first: Place) {
        let circle = self.circles.real.len();
        let mut size = 0;
        while let Some(place) = self.open.pop() {
            set(&mut self.circles.of, place, circle);
            size += 1;
            if place == first {
                break;
            }
        }
        let edges = self.document.edges(first);
        let to_itself = edges.iter().any(|edge| edge.target == first && edge.applies != Applies::Nowhere);
        self.circles.real.push(size > 1 || to_itself);
    }
}

fn get(list: &[usize], place: Place) -> usize {
    list.get(place).copied().unwrap_or(NONE)
}

fn set<T>(list: &mut [T], place: Place, value: T) {
    if let Some(slot) = list.get_mut(place) {
        *slot = value;
    }
}

const NONE: usize = usize::MAX;
