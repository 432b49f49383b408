//! How a program is found.
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

use std::{ffi::OsStr, fs, os::unix::fs::PermissionsExt, path::Path};

use haft_child::resolve;
use tempfile::TempDir;

/// A folder with `one/tool` and `two/tool`, which can be executed, `two/data`, which cannot, and the folder `one/data`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, mode) in [("one/tool", 0o755), ("two/tool", 0o755), ("two/data", 0o644)] {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::create_dir(folder.path().join("one/data")).unwrap();
    std::os::unix::fs::symlink("tool", folder.path().join("two/link")).unwrap();
    folder
}

/// `~` stands for the folder.
fn check(folder: &Path, name: &str, search_path: &str, expected: Result<&str, &str>) {
    let place = folder.to_str().unwrap();
    let found = resolve(OsStr::new(name), OsStr::new(&search_path.replace('~', place)), folder);
    let found = found.map(|path| path.to_str().unwrap().to_owned()).map_err(|error| error.to_string());
    let expand = |text: &str| text.replace('~', place);
    assert_eq!(found, expected.map(expand).map_err(expand), "{name} in {search_path}");
}

#[test]
fn program_is_found_as_the_system_finds_it() {
    let folder = folder();
    let check = |name, search_path, expected| check(folder.path(), name, search_path, Ok(expected));
    check("tool", "~/one:~/two", "~/one/tool");
    check("tool", "~/two:~/one", "~/two/tool");
    check("tool", "/no such:~/two", "~/two/tool");
    check("link", "~/one:~/two", "~/two/link");
    check("tool", "two", "~/two/tool");
    check("./one/tool", "~/two", "~/./one/tool");
    check("one/tool", "", "~/one/tool");
    check("tool", "~/one/data:~/one", "~/one/tool");
}

#[test]
fn empty_entry_of_the_search_path_is_the_directory() {
    let folder = folder();
    check(&folder.path().join("one"), "tool", "/no such::", Ok("~/tool"));
}

#[test]
fn program_that_is_not_found_is_told_with_the_places() {
    let folder = folder();
    let check = |name, search_path, expected| check(folder.path(), name, search_path, Err(expected));
    check("toll", "~/one:two:~/one", "no program `toll` in `~/one`, `~/two`");
    check("toll", "", "no program `toll` in `~`");
    check("./toll", "~/one", "no program `~/./toll`");
    check("data", "~/one:~/two", "`~/one/data` is not an executable file");
    check("data", "~/two", "`~/two/data` is not an executable file");
    check("two/data", "", "`~/two/data` is not an executable file");
    check("", "~/one", "the name of the program is empty");
}

#[test]
fn path_is_absolute_even_if_the_directory_is_not() {
    let path = resolve(OsStr::new("src/lib.rs"), OsStr::new(""), Path::new("."));
    assert!(path.unwrap_err().to_string().starts_with("`/"));
}
