//! What can be wrong with the elements of an array.

use serde_json::Value;

use super::scalars::whole;
use super::words::phrase;
use super::{Explainer, Found};
use crate::document::{Key, Place};
use crate::{Tree, tree};

impl Explainer<'_, '_> {
    pub(super) fn check_array(&mut self, place: Place, array: &Tree<'_>, found: &mut Found) {
        let elements = array.as_array().unwrap_or_default();
        for (index, element) in elements.iter().enumerate() {
            let Some(schema) = self.schema_of_element(place, index) else {
                break;
            };
            if found.refused || !self.step(1) {
                return;
            }
            let mark = found.at.mark();
            found.at.push_index(index);
            if self.document.value(schema) == &Value::Bool(false) {
                let expected = format!("no more than {index} items");
                let problem = found.problem("items", expected, element);
                found.add(problem.got("another item"));
                found.at.truncate(mark);
                break;
            }
            self.check(schema, element, found);
            found.at.truncate(mark);
        }
        self.check_contains(place, array, found);
        if self.keyword(place, "uniqueItems") == Some(&Value::Bool(true))
            && let Err((earlier, later)) = tree::all_different(elements)
        {
            let problem = found.problem("uniqueItems", "different items", array);
            found.add(problem.got(format!("equal ones at {earlier} and {later}")));
        }
    }

    /// The schema that applies to an element by its position.
    pub(super) fn schema_of_element(&self, place: Place, index: usize) -> Option<Place> {
        let at_index = |keyword| self.document.under(place, keyword).find(|edge| edge.key == Key::Index(index));
        // `prefixItems` of 2020-12 and the list form of `items` of draft-07 are the same thing.
        let listed = at_index("prefixItems").or_else(|| at_index("items"));
        let rest = || {
            let mut all = self.document.under(place, "items").filter(|edge| edge.key == Key::Alone);
            all.next().or_else(|| {
                let is_list = matches!(self.keyword(place, "items"), Some(Value::Array(_)));
                self.document.under(place, "additionalItems").next().filter(|_| is_list)
            })
        };
        listed.or_else(rest).map(|edge| edge.target)
    }

    fn check_contains(&mut self, place: Place, array: &Tree<'_>, found: &mut Found) {
        let elements = array.as_array().unwrap_or_default();
        let Some(wanted) = self.document.one(place, "contains") else {
            return;
        };
        let least = self.keyword(place, "minContains").and_then(whole).unwrap_or(1);
        let most = self.keyword(place, "maxContains").and_then(whole).unwrap_or(u64::MAX);
        let fitting = elements.iter().filter(|element| self.fits(wanted, element)).count();
        let fitting = u64::try_from(fitting).unwrap_or(u64::MAX);
        if (least..=most).contains(&fitting) || self.is_spent() {
            return;
        }
        let (word, limit) = if fitting < least { ("at least", least) } else { ("at most", most) };
        let items = if limit == 1 { "item that is" } else { "items that are" };
        let expected = format!("{word} {limit} {items} {}", phrase(self.document, wanted));
        let problem = found.problem("contains", expected, array);
        found.add(problem.got(format!("{fitting}")));
    }
}
