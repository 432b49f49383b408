//! Paths of callers, held beneath a directory.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::manifest::Origin;
use crate::report::Report;
use crate::table::{Fields, string};

/// A directory that paths have to stay beneath.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Within {
    /// Absolute and free of links.
    root: PathBuf,
    /// Names that no part of a path beneath the directory may have.
    except: Vec<String>,
}

/// Why a path of a caller is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It leads to something that is left out.
    Excepted,
    /// It leads out of the directory, by itself or through a link.
    Outside,
    /// It has a `..`.
    Parent,
    /// It is empty or has a zero byte.
    Unusable,
    /// The system could not follow it.
    Unresolved,
}

impl Refusal {
    /// What the caller has to give instead.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::Excepted => "expected a path that this tool serves, got one that it leaves out",
            Self::Outside => {
                "expected a path beneath the directory that this tool serves, got one that leads out of it"
            }
            Self::Parent => "expected a path without `..`, got one with it",
            Self::Unusable => "expected the path of a file or directory, got none",
            Self::Unresolved => "expected a path that can be followed, got one that cannot",
        }
    }
}

impl Within {
    /// Reads `within` and `except`; the directory of the manifest where `within` is absent.
    pub(crate) fn read(fields: &Fields<'_, '_>, origin: &Origin<'_>, report: &mut Report) -> Option<Self> {
        let except = read_except(fields, report);
        let Some(value) = fields.find("within") else { return Some(Self { root: origin.folder.clone(), except }) };
        let root = origin.directory("within", value, report)?;
        Some(Self { root, except })
    }

    /// The path that a program in the directory `working` is given for the path `text` of a caller.
    ///
    /// All links in it are followed here, so the program follows none. A path that does not exist yet may be named as
    /// long as the directories that exist of it stay beneath. Somebody who may write beneath the directory can still
    /// exchange a part between this check and the program's use of it.
    pub(crate) fn confine(&self, text: &str, working: &Path) -> Result<OsString, Refusal> {
        if text.is_empty() || text.contains('\0') {
            return Err(Refusal::Unusable);
        }
        let given = Path::new(text);
        if given.components().any(|component| component == Component::ParentDir) {
            return Err(Refusal::Parent);
        }
        let followed = follow(&self.root.join(given))?;
        let beneath = followed.strip_prefix(&self.root).map_err(|_| Refusal::Outside)?;
        if beneath.iter().any(|part| self.except.iter().any(|name| part == name.as_str())) {
            return Err(Refusal::Excepted);
        }
        let shown = match followed.strip_prefix(working) {
            Ok(relative) if relative.as_os_str().is_empty() => Path::new(".").to_owned(),
            Ok(relative) => relative.to_owned(),
            Err(_) => followed,
        };
        // Otherwise a program could take it for an option.
        let begins_with_dash = shown.as_os_str().as_encoded_bytes().first() == Some(&b'-');
        Ok(if begins_with_dash { Path::new(".").join(shown).into_os_string() } else { shown.into_os_string() })
    }
}

fn read_except(fields: &Fields<'_, '_>, report: &mut Report) -> Vec<String> {
    let mut names = Vec::new();
    for value in fields.array("except", report).unwrap_or_default() {
        match string("except", value, report) {
            Some(name) if name.is_empty() || name.contains('/') => {
                report.error(value.span(), "`except` has names of files and directories, not paths");
            }
            name => names.extend(name.map(str::to_owned)),
        }
    }
    names
}

/// The path without links, as far as it exists.
fn follow(path: &Path) -> Result<PathBuf, Refusal> {
    let mut missing = Vec::new();
    let mut existing = path;
    loop {
        match existing.canonicalize() {
            Ok(mut followed) => {
                followed.extend(missing.iter().rev());
                return Ok(followed);
            }
            // A link to nothing would be followed by the program that creates the file.
            Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(existing).is_err() => {
                let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) else {
                    return Err(Refusal::Unresolved);
                };
                missing.push(name);
                existing = parent;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(Refusal::Outside),
            Err(_) => return Err(Refusal::Unresolved),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_stay_beneath_the_directory_however_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let served = top.join("served");
        fs::create_dir_all(served.join("sub")).unwrap();
        fs::write(served.join("sub/file"), "").unwrap();
        fs::write(served.join("-rf"), "").unwrap();
        fs::write(top.join("secret"), "").unwrap();
        symlink("sub/file", served.join("inward")).unwrap();
        symlink("../secret", served.join("outward")).unwrap();
        symlink(&top, served.join("up")).unwrap();
        symlink("../new", served.join("dangling")).unwrap();
        symlink("loop", served.join("loop")).unwrap();
        symlink("served", top.join("alias")).unwrap();
        fs::create_dir(served.join(".git")).unwrap();
        symlink(".git", served.join("hidden")).unwrap();

        let within = Within { root: served.clone(), except: vec![".git".to_owned()] };
        let absolute = |path: &str| served.join(path).to_str().unwrap().to_owned();
        let cases: &[(&str, Result<&str, Refusal>)] = &[
            (".", Ok(".")),
            ("./", Ok(".")),
            ("sub/file", Ok("sub/file")),
            ("./sub//file", Ok("sub/file")),
            ("sub/", Ok("sub")),
            ("inward", Ok("sub/file")),
            ("-rf", Ok("./-rf")),
            ("-new", Ok("./-new")),
            ("sub/new/newer", Ok("sub/new/newer")),
            (&absolute("sub/file"), Ok("sub/file")),
            (&absolute(""), Ok(".")),
            ("", Err(Refusal::Unusable)),
            ("a\0b", Err(Refusal::Unusable)),
            ("..", Err(Refusal::Parent)),
            ("sub/../sub/file", Err(Refusal::Parent)),
            ("new/../../secret", Err(Refusal::Parent)),
            ("/", Err(Refusal::Outside)),
            ("/etc/passwd", Err(Refusal::Outside)),
            ("outward", Err(Refusal::Outside)),
            ("up", Err(Refusal::Outside)),
            ("up/secret", Err(Refusal::Outside)),
            ("up/new", Err(Refusal::Outside)),
            ("up/served/sub/file", Ok("sub/file")),
            ("dangling", Err(Refusal::Outside)),
            ("loop", Err(Refusal::Unresolved)),
            ("sub/file/more", Err(Refusal::Unresolved)),
            (&"x".repeat(5000), Err(Refusal::Unresolved)),
            (".gitignore", Ok(".gitignore")),
            (".git", Err(Refusal::Excepted)),
            ("sub/.git/config", Err(Refusal::Excepted)),
            ("hidden/config", Err(Refusal::Excepted)),
            ("../alias/sub", Err(Refusal::Parent)),
        ];
        for (text, expected) in cases {
            let confined = within.confine(text, &served);
            assert_eq!(confined, expected.map(OsString::from), "{text:.80}");
        }
        assert_eq!(within.confine("sub/file", &top).unwrap(), "served/sub/file");
        assert_eq!(within.confine("sub/file", &served.join("sub")).unwrap(), "file");
        assert_eq!(within.confine("inward", &top.join("elsewhere")).unwrap(), served.join("sub/file"));
    }

    #[test]
    fn a_served_root_takes_every_path() {
        assert_eq!(Within { root: "/".into(), except: Vec::new() }.confine("etc", Path::new("/tmp")).unwrap(), "/etc");
    }
}
