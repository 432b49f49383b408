//! No file names a folder of the machine that it was written on.

use std::fs;

use super::assert_none;
use super::tree::{files, root};

/// In two halves, so that this file does not contain them.
const FOLDERS: [(&str, &str); 2] = [("/ro", "ot/"), ("/wo", "rk/")];

fn machine_paths(path: &str, bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for folder in FOLDERS.map(|(begin, end)| format!("{begin}{end}")) {
            let mut found = line.match_indices(&folder);
            // `./a`, `x/a` and `{base}/a` go on from something and so are not absolute.
            let is_absolute = |at: usize| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|before| !(before.is_alphanumeric() || "._-~})]>*$".contains(before)))
            };
            if found.any(|(at, _)| is_absolute(at)) {
                faults.push(format!("{path}:{number}: an absolute path of one machine: `{folder}`"));
            }
        }
    }
    faults
}

#[test]
fn no_file_names_a_folder_of_one_machine() {
    let faults = files().into_iter().flat_map(|path| machine_paths(&path, &fs::read(root().join(&path)).unwrap()));
    assert_none(&faults.collect::<Vec<_>>());
}

mod samples {
    use super::{FOLDERS, machine_paths};

    #[test]
    fn absolute_paths_are_found_and_relative_ones_are_not() {
        for (begin, end) in FOLDERS {
            for before in ["", "see ", "\"", "file://", "=", "-I="] {
                let line = format!("first\n{before}{begin}{end}x");
                assert_eq!(machine_paths("a.md", line.as_bytes()).len(), 1, "{line}");
            }
            for before in [".", "docs", "https://host.example", "{base}", "~"] {
                let line = format!("{before}{begin}{end}x");
                assert_eq!(machine_paths("a.md", line.as_bytes()).len(), 0, "{line}");
            }
        }
        assert_eq!(machine_paths("a.bin", b"\xff\xfe\x00"), Vec::<String>::new());
    }
}
