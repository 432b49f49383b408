//! From the root of a crate, every item that a user can name, as sorted lines.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Fields, ImplItem, Item, ItemEnum, ItemImpl, ItemTrait, TraitItem, Visibility};

use super::forest::{Forest, ModuleId, attributes, is_left_out};
use super::resolve::{Target, item_name, resolve_path, resolve_use, uses};
use super::signatures::{conditions, declared, derives, implemented, parameters, signature, text};

/// The lines of the crate whose root is `root`.
pub(super) fn public_lines(forest: &Forest, root: ModuleId) -> Vec<String> {
    let name = forest.roots().find_map(|(name, id)| (id == root).then(|| name.to_owned())).unwrap_or_default();
    let mut api = Api { forest, impls: impls_by_owner(forest), lines: BTreeSet::new() };
    api.list_module(root, &name, 0);
    api.list_exported_macros(root, &name);
    api.lines.into_iter().map(|(_, _, line)| line).collect()
}

/// An item, by its module and its place there.
type Owner = (ModuleId, usize);

struct Api<'a> {
    forest: &'a Forest,
    impls: BTreeMap<Owner, Vec<Owner>>,
    /// Path, whether it is a trait implementation, and line: what belongs to one path stands together, the item first.
    lines: BTreeSet<(String, bool, String)>,
}

impl Api<'_> {
    fn list_module(&mut self, id: ModuleId, path: &str, depth: usize) {
        let Some(module) = self.forest.module(id) else {
            return;
        };
        if depth > DEEPEST {
            return;
        }
        for (name, child) in &module.children {
            if child.is_public {
                self.list_target(Target::Module(child.id), &format!("{path}::{name}"), depth);
            }
        }
        for (index, item) in module.items.iter().enumerate() {
            if let Some(name) = item_name(item)
                && is_public(item)
            {
                self.list_target(Target::Item(id, index), &format!("{path}::{name}"), depth);
            }
        }
        for leaf in uses(self.forest, id).into_iter().filter(|leaf| leaf.is_public) {
            let targets = resolve_use(self.forest, id, &leaf);
            let named = leaf.name.as_ref().map(|name| format!("{path}::{name}"));
            if targets.is_empty() {
                let shown = named.clone().unwrap_or_else(|| format!("{path}::*"));
                let origin = leaf.path.join("::") + if named.is_none() { "::*" } else { "" };
                self.add(&shown, format!("pub use {shown} = {origin}"));
            }
            for target in targets {
                match (&named, target) {
                    (Some(named), target) => self.list_target(target, named, depth),
                    (None, Target::Module(inner)) => self.list_module(inner, path, depth + 1),
                    (None, Target::Item(..)) => {}
                }
            }
        }
    }

    fn list_target(&mut self, target: Target, path: &str, depth: usize) {
        match target {
            Target::Module(id) => {
                self.add(path, format!("pub mod {path}"));
                self.list_module(id, path, depth + 1);
            }
            Target::Item(module, index) => self.list_item((module, index), path),
        }
    }

    fn list_item(&mut self, owner: Owner, path: &str) {
        let Some(item) = self.forest.item(owner.0, owner.1) else {
            return;
        };
        let open = if attributes(item).iter().any(|attribute| attribute.path().is_ident("non_exhaustive")) {
            "#[non_exhaustive] "
        } else {
            ""
        };
        match item {
            Item::Const(item) => self.add(path, format!("pub const {path}: {}", text(&item.ty))),
            Item::Static(item) => self.add(path, format!("pub static {path}: {}", text(&item.ty))),
            Item::Fn(item) => self.list_function(item, path),
            Item::Type(item) => {
                self.add(path, format!("pub type {path}{} = {}", parameters(&item.generics), text(&item.ty)));
            }
            Item::Struct(item) => {
                let tuple = match &item.fields {
                    Fields::Unnamed(fields) => {
                        let types = fields.unnamed.iter().map(|field| match field.vis {
                            Visibility::Public(_) => format!("pub {}", text(&field.ty)),
                            _ => "_".to_owned(),
                        });
                        format!("({})", types.collect::<Vec<_>>().join(", "))
                    }
                    Fields::Named(_) | Fields::Unit => String::new(),
                };
                self.add(path, format!("{open}pub struct {path}{}{tuple}", declared(&item.generics)));
                self.list_fields(&item.fields, path);
            }
            Item::Union(item) => self.add(path, format!("pub union {path}{}", declared(&item.generics))),
            Item::Enum(item) => {
                self.add(path, format!("{open}pub enum {path}{}", declared(&item.generics)));
                self.list_variants(item, path);
            }
            Item::Trait(item) => self.list_trait(item, path),
            Item::TraitAlias(_) => self.add(path, format!("pub trait {path}")),
            Item::Macro(_) => self.add(path, format!("pub macro {path}!")),
            _ => {}
        }
        self.list_impls(owner, item, path);
    }

    fn list_function(&mut self, item: &syn::ItemFn, path: &str) {
        let kind = item.attrs.iter().find_map(|attribute| {
            let kind = attribute.path().get_ident()?.to_string();
            ["proc_macro", "proc_macro_attribute"].contains(&kind.as_str()).then_some(kind)
        });
        let line = match kind.as_deref() {
            Some("proc_macro") => format!("pub macro {path}!"),
            Some(_) => format!("pub attribute macro #[{path}]"),
            None => format!("pub {}", signature(&item.sig, path)),
        };
        self.add(path, line);
    }

    fn list_fields(&mut self, fields: &Fields, path: &str) {
        if let Fields::Named(named) = fields {
            for field in &named.named {
                if let (Visibility::Public(_), Some(name)) = (&field.vis, &field.ident) {
                    let path = format!("{path}::{name}");
                    self.add(&path, format!("pub {path}: {}", text(&field.ty)));
                }
            }
        }
    }

    fn list_variants(&mut self, item: &ItemEnum, path: &str) {
        for variant in item.variants.iter().filter(|variant| !is_left_out(&variant.attrs)) {
            let fields = match &variant.fields {
                Fields::Named(named) => {
                    let fields = named.named.iter().map(|field| {
                        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                        format!("{name}: {}", text(&field.ty))
                    });
                    format!(" {{ {} }}", fields.collect::<Vec<_>>().join(", "))
                }
                Fields::Unnamed(fields) => {
                    let types = fields.unnamed.iter().map(|field| text(&field.ty));
                    format!("({})", types.collect::<Vec<_>>().join(", "))
                }
                Fields::Unit => String::new(),
            };
            let path = format!("{path}::{}", variant.ident);
            self.add(&path, format!("pub {path}{fields}"));
        }
    }

    fn list_trait(&mut self, item: &ItemTrait, path: &str) {
        let above = match &item.supertraits {
            bounds if bounds.is_empty() => String::new(),
            bounds => format!(": {}", text(bounds)),
        };
        let of = &item.generics;
        self.add(path, format!("pub trait {path}{}{above}{}", parameters(of), conditions(of)));
        for member in &item.items {
            match member {
                TraitItem::Fn(function) if !is_left_out(&function.attrs) => {
                    let path = format!("{path}::{}", function.sig.ident);
                    let provided = if function.default.is_some() { " { .. }" } else { "" };
                    self.add(&path, format!("pub {}{provided}", signature(&function.sig, &path)));
                }
                TraitItem::Const(constant) => {
                    let path = format!("{path}::{}", constant.ident);
                    self.add(&path, format!("pub const {path}: {}", text(&constant.ty)));
                }
                TraitItem::Type(associated) => {
                    let path = format!("{path}::{}", associated.ident);
                    let bounds = match &associated.bounds {
                        bounds if bounds.is_empty() => String::new(),
                        bounds => format!(": {}", text(bounds)),
                    };
                    self.add(&path, format!("pub type {path}{bounds}"));
                }
                _ => {}
            }
        }
    }

    fn list_impls(&mut self, owner: Owner, item: &Item, path: &str) {
        for derived in derives(item) {
            self.add(path, format!("impl {derived} for {path}"));
        }
        for (module, index) in self.impls.get(&owner).cloned().unwrap_or_default() {
            let Some(Item::Impl(block)) = self.forest.item(module, index) else {
                continue;
            };
            if block.trait_.is_some() {
                let is_own_trait = matches!(item, Item::Trait(_));
                self.add(path, implemented(block, path, is_own_trait));
            } else {
                self.list_inherent(block, path);
            }
        }
    }

    fn list_inherent(&mut self, block: &ItemImpl, path: &str) {
        for member in &block.items {
            match member {
                ImplItem::Fn(function) if is_visible(&function.vis) && !is_left_out(&function.attrs) => {
                    let path = format!("{path}::{}", function.sig.ident);
                    self.add(&path, format!("pub {}", signature(&function.sig, &path)));
                }
                ImplItem::Const(constant) if is_visible(&constant.vis) => {
                    let path = format!("{path}::{}", constant.ident);
                    self.add(&path, format!("pub const {path}: {}", text(&constant.ty)));
                }
                _ => {}
            }
        }
    }

    /// `#[macro_export]` puts a macro at the root of its crate, wherever it is written.
    fn list_exported_macros(&mut self, root: ModuleId, name: &str) {
        let exported: Vec<String> = self
            .forest
            .modules()
            .filter(|(id, _)| self.forest.root_of(*id) == root)
            .flat_map(|(_, module)| &module.items)
            .filter_map(|item| match item {
                Item::Macro(item) if item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export")) => {
                    item.ident.as_ref().map(|ident| format!("{name}::{ident}"))
                }
                _ => None,
            })
            .collect();
        for path in exported {
            self.add(&path, format!("pub macro {path}!"));
        }
    }

    fn add(&mut self, path: &str, line: String) {
        self.lines.insert((path.to_owned(), line.starts_with("impl"), line));
    }
}

/// Which `impl` blocks belong to an item: its own, and for a trait those for types of others.
fn impls_by_owner(forest: &Forest) -> BTreeMap<Owner, Vec<Owner>> {
    let mut impls: BTreeMap<Owner, Vec<Owner>> = BTreeMap::new();
    for (id, module) in forest.modules() {
        for (index, item) in module.items.iter().enumerate() {
            let Item::Impl(block) = item else { continue };
            let item_of = |path: &syn::Path| {
                resolve_path(forest, id, path).into_iter().find_map(|target| match target {
                    Target::Item(module, index) if is_type_or_trait(forest.item(module, index)) => {
                        Some((module, index))
                    }
                    _ => None,
                })
            };
            let of_type = match block.self_ty.as_ref() {
                syn::Type::Path(self_type) if self_type.qself.is_none() => item_of(&self_type.path),
                _ => None,
            };
            let owner = of_type.or_else(|| block.trait_.as_ref().and_then(|(_, path, _)| item_of(path)));
            if let Some(owner) = owner {
                impls.entry(owner).or_default().push((id, index));
            }
        }
    }
    impls
}

fn is_type_or_trait(item: Option<&Item>) -> bool {
    matches!(item, Some(Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_) | Item::Union(_)))
}

fn is_public(item: &Item) -> bool {
    match item {
        Item::Const(item) => is_visible(&item.vis),
        Item::Enum(item) => is_visible(&item.vis),
        Item::Fn(item) => is_visible(&item.vis),
        Item::Static(item) => is_visible(&item.vis),
        Item::Struct(item) => is_visible(&item.vis),
        Item::Trait(item) => is_visible(&item.vis),
        Item::TraitAlias(item) => is_visible(&item.vis),
        Item::Type(item) => is_visible(&item.vis),
        Item::Union(item) => is_visible(&item.vis),
        _ => false,
    }
}

fn is_visible(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Modules that re-export each other end here.
const DEEPEST: usize = 24;
