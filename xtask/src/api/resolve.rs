//! What a path means inside the workspace: follows modules, `use` lines and re-exports, across crates.

use syn::{Item, UseTree, Visibility};

use super::forest::{Forest, ModuleId};

/// What a path leads to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Target {
    Item(ModuleId, usize),
    Module(ModuleId),
}

/// One leaf of a `use` tree.
#[derive(Clone, Debug)]
pub(super) struct UseLeaf {
    pub(super) path: Vec<String>,
    /// The name it gets here; nothing for a glob.
    pub(super) name: Option<String>,
    pub(super) is_public: bool,
    /// The path begins with `::`, so its first name is a crate.
    is_crate_path: bool,
}

/// Re-exports that go round in circles end here.
const DEEPEST: usize = 24;

/// The leaves of all `use` lines of a module.
pub(super) fn uses(forest: &Forest, module: ModuleId) -> Vec<UseLeaf> {
    let mut leaves = Vec::new();
    for item in forest.module(module).into_iter().flat_map(|module| &module.items) {
        if let Item::Use(line) = item {
            let stem = UseLeaf {
                path: Vec::new(),
                name: None,
                is_public: matches!(line.vis, Visibility::Public(_)),
                is_crate_path: line.leading_colon.is_some(),
            };
            flatten(&line.tree, &stem, &mut leaves);
        }
    }
    leaves
}

fn flatten(tree: &UseTree, stem: &UseLeaf, leaves: &mut Vec<UseLeaf>) {
    let with = |segment: String, name: Option<String>| {
        let mut leaf = stem.clone();
        // `use a::b::{self}` names `b` itself.
        let is_self_of_group = segment == "self" && !leaf.path.is_empty();
        if !is_self_of_group {
            leaf.path.push(segment);
        }
        leaf.name = name.map(|name| if name == "self" { leaf.path.last().cloned().unwrap_or(name) } else { name });
        leaf
    };
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &with(path.ident.to_string(), None), leaves),
        UseTree::Name(name) => {
            leaves.push(with(name.ident.to_string(), Some(name.ident.to_string())));
        }
        UseTree::Rename(rename) => leaves.push(with(rename.ident.to_string(), Some(rename.rename.to_string()))),
        UseTree::Glob(_) => leaves.push(stem.clone()),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, stem, leaves);
            }
        }
    }
}

/// Everything that a `use` leaf of a module names; nothing when another project owns it.
pub(super) fn resolve_use(forest: &Forest, module: ModuleId, leaf: &UseLeaf) -> Vec<Target> {
    resolve_leaf(forest, module, leaf, 0)
}

/// Everything that a path written in a module names: a type and a function may share one name.
pub(super) fn resolve_path(forest: &Forest, module: ModuleId, path: &syn::Path) -> Vec<Target> {
    let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    resolve(forest, module, &segments, path.leading_colon.is_some(), 0)
}

fn resolve_leaf(forest: &Forest, module: ModuleId, leaf: &UseLeaf, depth: usize) -> Vec<Target> {
    resolve(forest, module, &leaf.path, leaf.is_crate_path, depth)
}

fn resolve(forest: &Forest, module: ModuleId, segments: &[String], is_crate_path: bool, depth: usize) -> Vec<Target> {
    if depth > DEEPEST {
        return Vec::new();
    }
    let Some((first, rest)) = segments.split_first() else {
        return Vec::new();
    };
    let of_crate = || forest.root(first).map(Target::Module).into_iter().collect::<Vec<_>>();
    let mut targets = match first.as_str() {
        _ if is_crate_path => of_crate(),
        "crate" => vec![Target::Module(forest.root_of(module))],
        "self" => vec![Target::Module(module)],
        "super" => forest.module(module).and_then(|module| module.parent).map(Target::Module).into_iter().collect(),
        name => {
            let local = find(forest, module, name, depth + 1);
            if local.is_empty() { of_crate() } else { local }
        }
    };
    for segment in rest {
        targets = targets
            .into_iter()
            .flat_map(|target| match target {
                Target::Module(inner) if segment == "super" => {
                    forest.module(inner).and_then(|inner| inner.parent).map(Target::Module).into_iter().collect()
                }
                Target::Module(inner) => find(forest, inner, segment, depth + 1),
                Target::Item(..) => Vec::new(),
            })
            .collect();
    }
    targets
}

fn find(forest: &Forest, id: ModuleId, name: &str, depth: usize) -> Vec<Target> {
    let Some(module) = forest.module(id) else {
        return Vec::new();
    };
    let mut targets: Vec<Target> = module
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| item_name(item).is_some_and(|own| own == name))
        .map(|(index, _)| Target::Item(id, index))
        .collect();
    targets.extend(module.children.get(name).map(|child| Target::Module(child.id)));
    if depth > DEEPEST {
        return targets;
    }
    let leaves = uses(forest, id);
    for leaf in leaves.iter().filter(|leaf| leaf.name.as_deref() == Some(name)) {
        // `use tickets;` in a module without `tickets` would ask for itself for ever: the name is then a crate's.
        let found = if leaf.path.len() == 1 && leaf.path.first().is_some_and(|first| first == name) {
            forest.root(name).map(Target::Module).into_iter().collect()
        } else {
            resolve_leaf(forest, id, leaf, depth + 1)
        };
        targets.extend(found);
    }
    if targets.is_empty() {
        for leaf in leaves.iter().filter(|leaf| leaf.name.is_none()) {
            for target in resolve_leaf(forest, id, leaf, depth + 1) {
                if let Target::Module(inner) = target
                    && inner != id
                {
                    targets.extend(find(forest, inner, name, depth + 1));
                }
            }
        }
    }
    targets.dedup();
    targets
}

/// The name of an item that a path can end in.
pub(super) fn item_name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
