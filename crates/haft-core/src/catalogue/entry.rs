//! One tool as it is served: definition, compiled schemas, bounds.

use std::fmt;
use std::sync::{Arc, OnceLock};

use haft_schema::{CompileOptions, Schema};
use haft_wire::Codec;
use haft_wire::headers::HeaderParam;
use haft_wire::model::{ToolDefinition, ToolName};
use serde_json::value::RawValue;
use tokio::sync::Semaphore;

use super::digest;
use crate::build::BuildError;
use crate::call::Rates;
use crate::call::decide::Allowed;
use crate::limits::ToolLimits;
use crate::principal::Principal;
use crate::tool::Tool;

/// Where tools come from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(Arc<str>);

impl SourceId {
    /// A source of this name.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// The tools that the program itself brings.
    pub fn local() -> Self {
        Self::new("local")
    }

    /// The name of the source.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a tool is, whatever name it is shown under: policy and records speak of this.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ToolId {
    /// Where the tool comes from.
    pub source: SourceId,
    /// The name that it has there.
    pub name: ToolName,
    /// The digest of its definition there.
    pub digest: blake3::Hash,
}

/// Who may see a tool. A tool that somebody may not see does not exist for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visibility {
    /// Everybody.
    #[default]
    Everybody,
    /// Members of any of these groups.
    Groups(Vec<String>),
}

impl Visibility {
    /// Whether this principal may see the tool.
    pub fn includes(&self, viewer: &Principal) -> bool {
        match self {
            Self::Everybody => true,
            Self::Groups(groups) => groups.iter().any(|group| viewer.groups.contains(group)),
        }
    }
}

/// A tool before its schemas are compiled.
pub(super) struct Draft {
    pub(super) source: SourceId,
    pub(super) tool: Arc<dyn Tool>,
    pub(super) shown: ToolDefinition,
    pub(super) visibility: Visibility,
    /// Arguments that callers do not see, as members of a JSON object.
    pub(super) constants: Vec<(String, String)>,
}

/// A tool as it is served.
pub(crate) struct Entry {
    pub(crate) id: ToolId,
    pub(crate) shown: ToolDefinition,
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) input: Schema,
    pub(crate) output: Option<Schema>,
    pub(crate) visibility: Visibility,
    pub(crate) constants: Vec<(String, String)>,
    pub(crate) header_params: Vec<HeaderParam>,
    pub(crate) limits: ToolLimits,
    pub(crate) places: Option<Arc<Semaphore>>,
    pub(crate) rates: Option<Arc<Rates>>,
    /// The digest of what is shown.
    pub(super) shown_digest: blake3::Hash,
    /// Set once a policy that looks at nothing but the tool has allowed it.
    pub(crate) allowed: OnceLock<Allowed>,
    encoded: [OnceLock<Vec<u8>>; Codec::COUNT],
}

impl Draft {
    /// Compiles the tool. What callers used up of its bounds is taken over from how it was served before.
    pub(super) fn compile(self, known: Option<&Entry>) -> Result<Entry, BuildError> {
        let original = self.tool.definition();
        let name = self.shown.name.as_str();
        let compile = |which, source: &RawValue, options: &CompileOptions| {
            Schema::compile(source, options).map_err(|source| BuildError::Schema {
                tool: name.to_owned(),
                which,
                source,
            })
        };
        let input = compile("input", &self.shown.input_schema, &CompileOptions::default().require_object_root())?;
        let output = match &self.shown.output_schema {
            None => None,
            Some(schema) => Some(compile("output", schema, &CompileOptions::default())?),
        };
        let header_params = HeaderParam::declared(&self.shown.input_schema)
            .map_err(|source| BuildError::Header { tool: name.to_owned(), source })?;
        let digest = digest_of(original);
        let shown_digest = digest_of(&self.shown);
        let limits = self.tool.limits();
        Ok(Entry {
            id: ToolId { source: self.source, name: original.name.clone(), digest },
            shown_digest,
            input,
            output,
            visibility: self.visibility,
            constants: self.constants,
            header_params,
            places: match known {
                Some(known) => known.places.clone(),
                None => limits.concurrency.map(|calls| Arc::new(Semaphore::new(calls.max(1)))),
            },
            rates: match known {
                Some(known) => known.rates.clone(),
                None => limits.rate.map(|(calls, within)| Arc::new(Rates::new(calls, within))),
            },
            limits,
            allowed: OnceLock::new(),
            encoded: std::array::from_fn(|_| OnceLock::new()),
            tool: self.tool,
            shown: self.shown,
        })
    }
}

fn digest_of(definition: &ToolDefinition) -> blake3::Hash {
    let mut raw = Vec::new();
    Codec::of_unknown_revision().encode_tool(definition, &mut raw);
    digest::of(&String::from_utf8_lossy(&raw))
}

impl Entry {
    /// Whether this entry serves that very tool.
    pub(super) fn is(&self, tool: &Arc<dyn Tool>) -> bool {
        Arc::ptr_eq(&self.tool, tool)
    }

    /// The definition in a revision's form; made once.
    pub(super) fn encoded(&self, codec: Codec) -> &[u8] {
        static NOTHING: OnceLock<Vec<u8>> = OnceLock::new();
        self.encoded.get(codec.index()).unwrap_or(&NOTHING).get_or_init(|| {
            let mut bytes = Vec::new();
            codec.encode_tool(&self.shown, &mut bytes);
            bytes
        })
    }
}
