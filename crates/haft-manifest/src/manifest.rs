//! A manifest as a whole: read once, checked, then tools.

use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use haft_core::Tool;
use haft_diag::Diagnostic;
use haft_policy::RuleSet;
use haft_wire::model::ToolDefinition;
use toml::de::DeTable;

use crate::file;
use crate::policy;
use crate::report::{ManifestErrors, Report};
use crate::server::{self, ServerInfo};
use crate::table::{Fields, Keys, Value, expected};
use crate::tool::CommandTool;
use crate::variables::{Environment, expand};

/// A manifest that was read and found in order. Nothing of it runs yet.
#[derive(Clone, Debug)]
pub struct Manifest {
    server: ServerInfo,
    tools: Vec<CommandTool>,
    policy: RuleSet,
}

/// Where a manifest stands: what paths and variables in it are relative to.
pub(crate) struct Origin<'e> {
    /// The manifest's directory, absolute and free of links.
    pub(crate) folder: PathBuf,
    pub(crate) environment: Environment<'e>,
}

impl Origin<'_> {
    /// The directory that a key names, absolute and free of links.
    pub(crate) fn directory(&self, key: &str, value: &Value<'_>, report: &mut Report) -> Option<PathBuf> {
        let expanded = expand(key, value, self.environment, report)?;
        let found = self.folder.join(expanded.text).canonicalize();
        let message = format!("`{key}` is no directory");
        match found {
            Ok(directory) if directory.is_dir() => return Some(directory),
            Ok(_) => report.error(value.span(), message),
            Err(error) => report.add(value.span(), Diagnostic::error(message).cause(error.to_string())),
        }
        None
    }
}

impl Manifest {
    /// Reads the file at `path`; `environment` gives the variables that it may use.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, and as for [`Manifest::parse`].
    pub fn load(path: &Path, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, ManifestErrors> {
        let text = file::read(path, "the manifest")?;
        Self::parse(&text, path, environment)
    }

    /// Reads the text of a manifest that stands at `path`; relative paths in it begin in that file's directory.
    ///
    /// Programs are looked for and directories have to exist, but nothing is started.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, with its place: syntax, unknown keys, values of a wrong type, programs that are
    /// missing, variables that are not set, schemas that cannot be served.
    pub fn parse(
        text: &str,
        path: &Path,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ManifestErrors> {
        let shown = path.display().to_string();
        let folder = absolute(path).and_then(|path| path.parent().unwrap_or(Path::new("/")).canonicalize()).map_err(
            |error| {
                let diagnostic = Diagnostic::error("the directory of the manifest cannot be found");
                ManifestErrors::unreadable(shown.clone(), diagnostic.cause(error.to_string()))
            },
        )?;
        let mut report = Report::new(shown, text);
        let origin = Origin { folder, environment };
        let manifest = file::document(text, &mut report).and_then(|root| read(root.get_ref(), &origin, &mut report));
        report.finish()?;
        manifest.ok_or_else(|| {
            let diagnostic = Diagnostic::error("the manifest cannot be read");
            ManifestErrors::unreadable(path.display().to_string(), diagnostic)
        })
    }

    /// What the manifest says of its server.
    pub const fn server(&self) -> &ServerInfo {
        &self.server
    }

    /// The definitions of the tools, in the order of the file.
    pub fn definitions(&self) -> impl Iterator<Item = &ToolDefinition> {
        self.tools.iter().map(Tool::definition)
    }

    /// What the manifest says under `[policy]`: the rules of the project's tier, which may only tighten.
    pub const fn policy(&self) -> &RuleSet {
        &self.policy
    }

    /// The tools, in the order of the file.
    pub fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        self.tools.into_iter().map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
    }
}

fn read(root: &DeTable<'_>, origin: &Origin<'_>, report: &mut Report) -> Option<Manifest> {
    let fields = Fields::open(root, 0..0, &KEYS, report);
    let server = server::read(root, report);
    let mut tools: Vec<CommandTool> = Vec::new();
    for value in fields.find("tool").map(|value| tool_values(value, report)).unwrap_or_default() {
        let Some(tool) = CommandTool::read(value, origin, report) else { continue };
        if tools.iter().any(|earlier| earlier.name() == tool.name()) {
            report.error(value.span(), format!("two tools are named `{}`", tool.name()));
        }
        tools.push(tool);
    }
    let policy = policy::read(&fields, report);
    Some(Manifest { server: server?, tools, policy })
}

fn tool_values<'t, 'i>(value: &'t Value<'i>, report: &mut Report) -> &'t [Value<'i>] {
    let tools = value.get_ref().as_array();
    if tools.is_none() {
        expected("tool", "an array of tables: `[[tool]]`", value, report);
    }
    tools.map_or(&[], |tools| &**tools)
}

const KEYS: Keys =
    Keys { what: "a manifest", known: &["server", "tool", "policy"], later: &["upstream", "openapi"], below: None };
