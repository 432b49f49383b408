//! Where `haft` runs in a test: a folder of its own, with its own settings and state.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use haft_tests::haft_binary;
use tempfile::TempDir;

/// A folder that goes with the test.
pub(crate) struct Home(TempDir);

impl Home {
    /// One whose policy asks about nothing.
    pub(crate) fn allowing_everything() -> Self {
        let home = Self(TempDir::new().unwrap());
        fs::create_dir_all(home.policy().parent().unwrap()).unwrap();
        let rule = "[[policy.rule]]\nname = \"everything\"\ntools = \"*\"\nthen = \"allow\"\n";
        fs::write(home.policy(), rule).unwrap();
        home
    }

    /// From here on the default policy holds.
    pub(crate) fn forget_the_policy(&self) {
        fs::remove_file(self.policy()).unwrap();
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// `haft`, here.
    pub(crate) fn haft(&self) -> Command {
        let mut haft = Command::new(haft_binary());
        haft.current_dir(self.folder());
        haft.env("XDG_CONFIG_HOME", self.folder().join("config")).env("XDG_STATE_HOME", self.folder().join("state"));
        haft
    }

    fn policy(&self) -> PathBuf {
        self.folder().join("config/haft/policy.toml")
    }
}
