//! Small workspaces in a temporary folder, and the lines that their public API comes to.

use std::fs;

use super::snapshot;

fn lines(files: &[(&str, &str)], crate_name: &str) -> Vec<String> {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join("crates").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let text = snapshot(root.path(), crate_name).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(lines(&[("a/src/lib.rs", source)], "a"), expected);
}

#[test]
fn each_kind_of_item_is_one_line() {
    check(
        "pub const LIMIT: usize = 3; pub static NAME: &str = \"x\";
         pub type Pair<T> = (T, T); pub struct Unit; struct Hidden;
         #[macro_export] macro_rules! shout { () => {} }
         mod inner { #[macro_export] macro_rules! deep { () => {} } }",
        &[
            "pub const a::LIMIT: usize",
            "pub static a::NAME: &str",
            "pub type a::Pair<T> = (T, T)",
            "pub struct a::Unit",
            "pub macro a::deep!",
            "pub macro a::shout!",
        ],
    );
}

#[test]
fn a_signature_does_not_depend_on_how_the_source_breaks_its_lines() {
    let expected = &["pub async fn a::run<'a, T: ?Sized + Into<Vec<Vec<u8>>>>(first: &'a mut T, rest: (u8,), \
         call: impl Fn(&str, u8) -> bool + Send) -> Result<(), <T as Try>::Error> where T: Try"];
    check(
        "pub async fn run<'a, T: ?Sized + Into<Vec<Vec<u8>>>>(first: &'a mut T, rest: (u8,), \
         call: impl Fn(&str, u8) -> bool + Send) -> Result<(), <T as Try>::Error> where T: Try {}",
        expected,
    );
    check(
        "pub async fn run<
            'a,
            T: ?Sized + Into<Vec<Vec<u8>>>,
         >(
            mut first: &'a mut T,
            rest: (u8,),
            call: impl Fn(&str, u8,) -> bool + Send,
         ) -> Result<(), <T as Try>::Error,>
         where
            T: Try,
         {}",
        expected,
    );
}

#[test]
fn fields_variants_and_derives_belong_to_their_type() {
    check(
        "#[derive(Clone, serde::Serialize)] #[non_exhaustive] pub struct Point { pub x: i64, y: i64 }
         pub struct Wrapped(pub u8, u8);
         pub enum Shape { Circle, Square(u8), Named { side: u8 } }",
        &[
            "#[non_exhaustive] pub struct a::Point",
            "impl Clone for a::Point",
            "impl Serialize for a::Point",
            "pub a::Point::x: i64",
            "pub enum a::Shape",
            "pub a::Shape::Circle",
            "pub a::Shape::Named { side: u8 }",
            "pub a::Shape::Square(u8)",
            "pub struct a::Wrapped(pub u8, _)",
        ],
    );
}

#[test]
fn methods_and_trait_implementations_follow_their_type_from_any_module() {
    check(
        "mod shapes { pub struct Shape<T>(T); pub trait Draw { type Ink; fn draw(&self); fn twice(&self) {} } }
         mod code {
             use super::shapes::{Draw, Shape};
             impl<T> Shape<T> { pub fn new(mut value: T) -> Self { todo!() } fn secret(&self) {} pub const N: u8 = 1; }
             impl<T: Copy> Draw for Shape<T> { type Ink = u8; fn draw(&self) {} }
             impl Draw for String { type Ink = (); fn draw(&self) {} }
         }
         pub use shapes::{Draw, Shape as Figure};",
        &[
            "pub trait a::Draw",
            "impl a::Draw for String (Ink = ())",
            "pub type a::Draw::Ink",
            "pub fn a::Draw::draw(&self)",
            "pub fn a::Draw::twice(&self) { .. }",
            "pub struct a::Figure<T>(_)",
            "impl<T: Copy> Draw for a::Figure<T> (Ink = u8)",
            "pub const a::Figure::N: u8",
            "pub fn a::Figure::new(value: T) -> Self",
        ],
    );
}

#[test]
fn tests_hidden_items_and_private_ones_are_not_public_api() {
    check(
        "#[cfg(test)] pub mod tests { pub fn x() {} }
         #[doc(hidden)] pub mod private { pub fn y() {} }
         pub(crate) fn z() {} mod closed { pub fn w() {} }
         pub mod open { pub fn v() {} pub(super) fn u() {} }",
        &["pub mod a::open", "pub fn a::open::v()"],
    );
}

#[test]
fn re_exports_are_followed_into_the_workspace_and_named_where_they_leave_it() {
    let files = [
        ("my-core/src/lib.rs", "mod tool; pub use tool::*; pub mod extra;"),
        ("my-core/src/tool.rs", "pub struct Tool; impl Tool { pub fn call(&self) {} }"),
        ("my-core/src/extra/mod.rs", "mod deep; pub use self::deep::More;"),
        ("my-core/src/extra/deep.rs", "pub struct More;"),
        (
            "my-macros/src/lib.rs",
            "#[proc_macro_attribute] pub fn tool(a: TokenStream, b: TokenStream) -> TokenStream {}",
        ),
        (
            "my/src/lib.rs",
            "pub use my_core::{Tool, extra}; pub use my_macros::tool; pub use schemars; pub use serde::*;",
        ),
    ];
    assert_eq!(
        lines(&files, "my"),
        [
            "pub use my::* = serde::*",
            "pub struct my::Tool",
            "pub fn my::Tool::call(&self)",
            "pub mod my::extra",
            "pub struct my::extra::More",
            "pub use my::schemars = schemars",
            "pub attribute macro #[my::tool]",
        ]
    );
}

#[test]
fn a_module_with_a_path_has_its_own_modules_beside_its_file() {
    let files = [
        ("a/src/lib.rs", "#[path = \"linux/mod.rs\"] pub mod system; #[path = \"other.rs\"] pub mod named;"),
        ("a/src/linux/mod.rs", "pub mod process;"),
        ("a/src/linux/process.rs", "pub struct Process;"),
        ("a/src/other.rs", "pub mod beside;"),
        ("a/src/beside.rs", ""),
    ];
    let expected = ["pub mod a::named", "pub mod a::named::beside", "pub mod a::system", "pub mod a::system::process"];
    assert_eq!(lines(&files, "a"), [&expected[..], &["pub struct a::system::process::Process"]].concat());
}

#[test]
fn re_exports_that_go_round_in_circles_end() {
    let found = lines(
        &[(
            "a/src/lib.rs",
            "pub mod x { pub use super::y::*; } pub mod y { pub use super::x::*; pub use super::z::Q; pub fn f() {} } mod z { pub use crate::z::Q; }",
        )],
        "a",
    );
    assert!(found.contains(&"pub fn a::x::f()".to_owned()), "{found:?}");
}

#[test]
fn a_module_without_a_file_and_a_crate_that_is_not_there_are_errors() {
    let root = tempfile::tempdir().unwrap();
    let source = root.path().join("crates/a/src");
    fs::create_dir_all(&source).unwrap();
    fs::write(source.join("lib.rs"), "mod gone;").unwrap();
    assert!(snapshot(root.path(), "a").unwrap_err().to_string().starts_with("no file for module `gone` of"));
    fs::write(source.join("lib.rs"), "").unwrap();
    assert_eq!(snapshot(root.path(), "b").unwrap_err().to_string(), "no library crate named `b` in `crates`");
}
