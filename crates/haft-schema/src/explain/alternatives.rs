//! Schemas made of schemas: of alternatives, the closest is the one to speak of.

use haft_diag::nearest;
use serde_json::Value;

use super::words::{self, phrase};
use super::{Explainer, Found};
use crate::document::Place;
use crate::pointer::Pointer;
use crate::problem::article;
use crate::{Problem, Tree};

impl Explainer<'_, '_> {
    /// Adds what is wrong under the keywords that combine schemas.
    pub(super) fn check_combined(&mut self, place: Place, tree: &Tree<'_>, found: &mut Found) {
        for target in self.targets(place, "allOf") {
            self.check(target, tree, found);
        }
        for keyword in ["anyOf", "oneOf"] {
            self.check_alternatives(place, keyword, tree, found);
        }
        if let Some(condition) = self.document.one(place, "if") {
            let consequence = if self.fits(condition, tree) { "then" } else { "else" };
            if let Some(target) = self.document.one(place, consequence) {
                self.check(target, tree, found);
            }
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            let dependent: Vec<_> = self.document.under(place, keyword).collect();
            for edge in dependent {
                if edge.key.name().is_some_and(|name| tree.get(name).is_some()) {
                    self.check(edge.target, tree, found);
                }
            }
        }
        if let Some(target) = self.document.one(place, "not")
            && self.fits(target, tree)
            && !self.is_spent()
        {
            let expected = self.anything_but(target);
            let problem = found.problem("not", expected, tree);
            found.add(problem.got(format!("such {}", article(tree.kind()))));
        }
    }

    fn targets(&self, place: Place, keyword: &str) -> Vec<Place> {
        self.document.under(place, keyword).map(|edge| edge.target).collect()
    }

    fn check_alternatives(&mut self, place: Place, keyword: &'static str, tree: &Tree<'_>, found: &mut Found) {
        let branches = self.targets(place, keyword);
        let mut fitting = 0;
        let mut failed = Vec::new();
        for branch in &branches {
            let mut problems = found.fork(MOST_PER_BRANCH);
            self.check(*branch, tree, &mut problems);
            if problems.list.is_empty() {
                fitting += 1;
                if keyword == "anyOf" {
                    return;
                }
            } else {
                failed.push(problems.list);
            }
        }
        if self.is_spent() {
            return;
        }
        match fitting {
            0 if failed.is_empty() => return,
            0 => {}
            1 => return,
            _ => {
                let expected = format!("a value that fits exactly one of {} alternatives", branches.len());
                let problem = found.problem("oneOf", expected, tree);
                found.add(problem.got(format!("one that fits {fitting}")));
                return;
            }
        }
        let here = found.at.as_str().to_owned();
        let is_kind = |problem: &Problem| problem.keyword == "type" && problem.pointer == here.as_str();
        let possible: Vec<Vec<Problem>> = failed.into_iter().filter(|problems| !problems.iter().any(is_kind)).collect();
        if possible.is_empty() {
            let expected = phrase(self.document, place);
            found.add(found.problem("type", expected, tree));
            return;
        }
        if let Some(problem) = tag(&possible, &here) {
            let sent = sent_at(tree, &problem.pointer, &found.at).and_then(Tree::as_str);
            let meant =
                sent.and_then(|sent| nearest(sent, problem.allowed.iter().map(String::as_str))).map(str::to_owned);
            found.add(problem.suggest(meant));
            return;
        }
        let choices = possible.len();
        let closest = possible.into_iter().min_by_key(|problems| distance(problems, &here));
        for mut problem in closest.into_iter().flatten() {
            problem.alternatives = problem.alternatives.max(choices);
            found.add(problem);
        }
    }

    fn anything_but(&self, place: Place) -> String {
        if let Some(Value::Array(required)) = self.keyword(place, "required")
            && self.document.keywords(place).is_some_and(|schema| schema.len() == 1)
        {
            let names = words::list(required);
            return if required.len() == 1 { format!("{names} to be absent") } else { format!("not all of {names}") };
        }
        match phrase(self.document, place) {
            known if known == "another value" => "a value that `not` allows".to_owned(),
            known => format!("anything but {known}"),
        }
    }
}

/// How far a value is from an alternative: a member that says which alternative is meant counts most.
fn distance(problems: &[Problem], here: &str) -> (usize, usize) {
    let tags = problems.iter().filter(|problem| !problem.allowed.is_empty() && is_member(problem, here)).count();
    (tags, problems.len())
}

fn is_member(problem: &Problem, here: &str) -> bool {
    problem.pointer.strip_prefix(here).is_some_and(|rest| rest.starts_with('/') && rest.rfind('/') == Some(0))
}

/// When all alternatives want different values here, or of the same member, that is the problem.
fn tag(possible: &[Vec<Problem>], here: &str) -> Option<Problem> {
    let (first, others) = possible.split_first()?;
    if others.is_empty() {
        return None;
    }
    let is_tag =
        |problem: &&Problem| !problem.allowed.is_empty() && (problem.pointer == here || is_member(problem, here));
    let mut tag = first.iter().find(is_tag)?.clone();
    for problems in others {
        let same = problems.iter().filter(is_tag).find(|problem| problem.pointer == tag.pointer)?;
        for value in &same.allowed {
            if !tag.allowed.contains(value) {
                tag.allowed.push(value.clone());
            }
        }
    }
    tag.expected = words::one_of(&tag.allowed);
    Some(tag)
}

/// The value at a pointer that is `here` or a member of it.
fn sent_at<'t, 'a>(tree: &'t Tree<'a>, pointer: &str, here: &Pointer) -> Option<&'t Tree<'a>> {
    if pointer == here.as_str() {
        return Some(tree);
    }
    tree.as_object()?.iter().find(|(name, _)| here.member(name) == pointer).map(|(_, value)| value)
}

/// More than this per alternative tells nothing about how close it is.
const MOST_PER_BRANCH: usize = 8;
