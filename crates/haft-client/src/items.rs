//! What else a server lists: resources, their templates, prompts; entries stay as they came.

use std::collections::HashSet;

use haft_wire::model::Ask;
use serde_json::value::RawValue;

use crate::client::Client;
use crate::error::ClientError;
use crate::live::Answered;
use crate::options::CallOptions;

impl Client {
    /// The resources of the server.
    ///
    /// # Errors
    ///
    /// When the server cannot be asked, answers with something else than a list, or with one that does not end.
    pub async fn resources(&self) -> Result<Vec<Box<RawValue>>, ClientError> {
        self.items(Kind::Resources).await
    }

    /// The templates of resources of the server.
    ///
    /// # Errors
    ///
    /// As for [`Self::resources`].
    pub async fn resource_templates(&self) -> Result<Vec<Box<RawValue>>, ClientError> {
        self.items(Kind::ResourceTemplates).await
    }

    /// The prompts of the server.
    ///
    /// # Errors
    ///
    /// As for [`Self::resources`].
    pub async fn prompts(&self) -> Result<Vec<Box<RawValue>>, ClientError> {
        self.items(Kind::Prompts).await
    }

    async fn items(&self, kind: Kind) -> Result<Vec<Box<RawValue>>, ClientError> {
        let options = CallOptions { is_idempotent: true, ..CallOptions::default() };
        let mut items = Vec::new();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        let mut bytes = 0;
        let begun = tokio::time::Instant::now();
        loop {
            let ask = kind.ask(cursor.as_deref());
            let method = ask.method();
            let (live, answered) = self.ask(&ask, &[], &options).await?;
            let result = answered.outcome.map_err(|source| ClientError::Peer { method, source })?;
            let page = live.codec().decode_items(&ask, Answered::raw(&result))?;
            items.extend(page.items);
            bytes += result.get().len();
            let Some(next) = page.next_cursor else { return Ok(items) };
            if bytes > self.options().list_bytes
                || cursors.len() >= self.options().pages
                || begun.elapsed() > self.options().longest
                || !cursors.insert(blake3::hash(next.as_bytes()))
            {
                let reason = format!("does not end: {} pages, the last of which lead on", cursors.len());
                return Err(ClientError::Unreadable { method, reason });
            }
            cursor = Some(next);
        }
    }
}

/// What is listed.
#[derive(Clone, Copy)]
enum Kind {
    Prompts,
    ResourceTemplates,
    Resources,
}

impl Kind {
    const fn ask(self, cursor: Option<&str>) -> Ask<'_> {
        match self {
            Self::Prompts => Ask::ListPrompts(cursor),
            Self::ResourceTemplates => Ask::ListResourceTemplates(cursor),
            Self::Resources => Ask::ListResources(cursor),
        }
    }
}
