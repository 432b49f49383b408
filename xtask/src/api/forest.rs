//! The modules of every library crate of the workspace, private ones too, as one forest of parsed items.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, ItemMod, Meta, Visibility};

use super::ApiError;

/// Names a module of a [`Forest`].
pub(super) type ModuleId = usize;

/// One module with its items; modules inside it stand in `children`, not among the items.
pub(super) struct Module {
    pub(super) parent: Option<ModuleId>,
    pub(super) children: BTreeMap<String, Child>,
    pub(super) items: Vec<Item>,
}

/// A `mod` declaration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) id: ModuleId,
    pub(super) is_public: bool,
}

/// All modules of all library crates.
#[derive(Default)]
pub(super) struct Forest {
    modules: Vec<Module>,
    roots: BTreeMap<String, ModuleId>,
}

impl Forest {
    /// Reads each `crates/*/src/lib.rs` and the modules it declares.
    pub(super) fn load(crates: &Path) -> Result<Self, ApiError> {
        let mut forest = Self::default();
        let read = |source| ApiError::Read { path: crates.to_owned(), source };
        for entry in fs::read_dir(crates).map_err(read)? {
            let folder = entry.map_err(read)?.path();
            let library = folder.join("src/lib.rs");
            let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if library.is_file() {
                let items = parse(&library)?;
                let place = Place { folder: folder.join("src"), file: library };
                let id = forest.add(None, items, &place)?;
                forest.roots.insert(name.replace('-', "_"), id);
            }
        }
        Ok(forest)
    }

    pub(super) fn root(&self, crate_name: &str) -> Option<ModuleId> {
        self.roots.get(crate_name).copied()
    }

    pub(super) fn roots(&self) -> impl Iterator<Item = (&str, ModuleId)> {
        self.roots.iter().map(|(name, id)| (name.as_str(), *id))
    }

    pub(super) fn module(&self, id: ModuleId) -> Option<&Module> {
        self.modules.get(id)
    }

    pub(super) fn modules(&self) -> impl Iterator<Item = (ModuleId, &Module)> {
        self.modules.iter().enumerate()
    }

    pub(super) fn item(&self, module: ModuleId, index: usize) -> Option<&Item> {
        self.modules.get(module)?.items.get(index)
    }

    /// The crate root above a module.
    pub(super) fn root_of(&self, mut id: ModuleId) -> ModuleId {
        while let Some(parent) = self.module(id).and_then(|module| module.parent) {
            id = parent;
        }
        id
    }

    fn add(&mut self, parent: Option<ModuleId>, items: Vec<Item>, place: &Place) -> Result<ModuleId, ApiError> {
        let id = self.modules.len();
        self.modules.push(Module { parent, children: BTreeMap::new(), items: Vec::new() });
        for item in items {
            if is_left_out(attributes(&item)) {
                continue;
            }
            if let Item::Mod(declaration) = item {
                let is_public = matches!(declaration.vis, Visibility::Public(_));
                let name = declaration.ident.to_string();
                let child = self.add_declared(id, declaration, place)?;
                if let Some(module) = self.modules.get_mut(id) {
                    module.children.insert(name, Child { id: child, is_public });
                }
            } else if let Some(module) = self.modules.get_mut(id) {
                module.items.push(item);
            }
        }
        Ok(id)
    }

    fn add_declared(&mut self, parent: ModuleId, declaration: ItemMod, place: &Place) -> Result<ModuleId, ApiError> {
        let name = declaration.ident.to_string();
        let inside = place.folder.join(&name);
        if let Some((_, items)) = declaration.content {
            return self.add(Some(parent), items, &Place { folder: inside, file: place.file.clone() });
        }
        let (candidates, folder) = match path_attribute(&declaration.attrs) {
            // The modules of such a file lie beside it, whatever its name.
            Some(path) => {
                let file = place.file.with_file_name(path);
                let folder = file.parent().unwrap_or(&inside).to_owned();
                (vec![file], folder)
            }
            None => (vec![inside.with_extension("rs"), inside.join("mod.rs")], inside),
        };
        let Some(file) = candidates.into_iter().find(|file| file.is_file()) else {
            return Err(ApiError::NoModule { module: name, declared_in: place.file.clone() });
        };
        let items = parse(&file)?;
        self.add(Some(parent), items, &Place { folder, file })
    }
}

/// Where a module's text is, and in which folder the files of its own modules are.
#[derive(Debug)]
struct Place {
    folder: PathBuf,
    file: PathBuf,
}

fn parse(file: &Path) -> Result<Vec<Item>, ApiError> {
    let text = fs::read_to_string(file).map_err(|source| ApiError::Read { path: file.to_owned(), source })?;
    let parsed = syn::parse_file(&text).map_err(|source| ApiError::Parse { path: file.to_owned(), source })?;
    Ok(parsed.items)
}

/// Tests and hidden items are nobody's API.
pub(super) fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string() == "test",
        Meta::List(list) if list.path.is_ident("doc") => list.tokens.to_string() == "hidden",
        _ => false,
    })
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
