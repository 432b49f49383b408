//! Which member a key means, in the object of the arguments or in one within it.

use haft_diag::{escape, nearest};

use super::ArgumentProblem;
use super::schema::{Kind, Member, Schemas};

/// The names from the outermost object to the member, and what the schema says about it.
pub(super) fn locate<'s>(top: &Schemas<'s>, key: &str) -> Result<(Vec<String>, Schemas<'s>), ArgumentProblem> {
    let direct = top.member(key);
    let dots = key.matches('.').count();
    let mut found = Vec::new();
    if dots <= MOST_DOTS {
        collect(top, key, &mut Vec::new(), &mut found);
    } else if !matches!(direct, Member::Known(_)) {
        let problem = ArgumentProblem::new(key, "this key has too many dots");
        return Err(problem.hint("`--args` takes the whole object"));
    }
    match (direct, found.len()) {
        (Member::Known(schemas), 0) => Ok((vec![key.to_owned()], schemas)),
        (Member::Known(_), _) | (_, 2..) => {
            let problem = ArgumentProblem::new(key, "this key means more than one member");
            Err(problem.hint("`--args` takes the whole object"))
        }
        (_, 1) => found.pop().ok_or_else(|| unknown(top, key)),
        (Member::Free(schemas), _) if !begins_in_an_object(top, key) => Ok((vec![key.to_owned()], schemas)),
        _ => Err(unknown(top, key)),
    }
}

/// All ways to read a key with dots as a path of objects. At two of them it is ambiguous, so no third is looked for.
fn collect<'s>(schemas: &Schemas<'s>, key: &str, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, Schemas<'s>)>) {
    for (dot, _) in key.match_indices('.') {
        let (Some(name), Some(rest)) = (key.get(..dot), key.get(dot + 1..)) else { continue };
        let Member::Known(inner) = schemas.member(name) else { continue };
        if !inner.allows(Kind::Object) || rest.is_empty() || found.len() > 1 {
            continue;
        }
        path.push(name.to_owned());
        let before = found.len();
        let member = inner.member(rest);
        if let Member::Known(schemas) = &member {
            found.push((path_to(path, rest), schemas.clone()));
        }
        collect(&inner, rest, path, found);
        if let Member::Free(schemas) = member
            && found.len() == before
        {
            found.push((path_to(path, rest), schemas));
        }
        path.pop();
    }
}

fn path_to(path: &[String], name: &str) -> Vec<String> {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

/// Whether what stands before the first dot is an object that the schema describes: then the rest is the mistake.
fn begins_in_an_object(schemas: &Schemas<'_>, key: &str) -> bool {
    object_of(schemas, key).is_some()
}

fn object_of<'s, 'k>(schemas: &Schemas<'s>, key: &'k str) -> Option<(&'k str, &'k str, Schemas<'s>)> {
    let (name, rest) = key.split_once('.')?;
    match schemas.member(name) {
        Member::Known(inner) if inner.allows(Kind::Object) => Some((name, rest, inner)),
        _ => None,
    }
}

fn unknown(top: &Schemas<'_>, key: &str) -> ArgumentProblem {
    let (mut before, mut rest, mut schemas) = (String::new(), key, top.clone());
    while let Some((name, inside, inner)) = object_of(&schemas, rest) {
        before = format!("{before}{name}.");
        (rest, schemas) = (inside, inner);
    }
    let mut names: Vec<&str> = schemas.names().collect();
    names.sort_unstable();
    names.dedup();
    let near = nearest(rest, names.iter().copied());
    // A name within an object stands after a dot here, so the rest of a wrong path can be the wrong name.
    let near = near.or_else(|| nearest(rest.split('.').next().unwrap_or_default(), names.iter().copied()));
    let problem = ArgumentProblem::new(key, "the tool has no such argument");
    if let Some(near) = near {
        return problem.hint(format!("did you mean `{}{}`?", escape(&before), escape(near)));
    }
    let shown: Vec<String> =
        names.iter().take(MOST_LISTED).map(|name| format!("`{}{}`", escape(&before), escape(name))).collect();
    let more = if names.len() > MOST_LISTED { ", …" } else { "" };
    if shown.is_empty() {
        problem.hint("it takes none")
    } else {
        problem.hint(format!("there are {}{more}", shown.join(", ")))
    }
}

/// Each dot doubles the ways to read a key.
const MOST_DOTS: usize = 10;
const MOST_LISTED: usize = 12;
