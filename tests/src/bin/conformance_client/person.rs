//! The person behind the client.

use std::future::Future;
use std::pin::Pin;

use haft_client::{Answer, Answers, Asked};
use serde_json::{Map, Value};

/// Agrees to everything: says yes where yes or no is asked, and leaves what has a default to the client.
pub(crate) struct Agreeable;

impl Answers for Agreeable {
    fn answer<'a>(&'a self, asked: &'a Asked) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async move { Answer::Accept(yes(asked.schema())) })
    }
}

fn yes(schema: Option<&Value>) -> Map<String, Value> {
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let open = properties.into_iter().flatten().filter(|(_, property)| {
        property.get("type").is_some_and(|kind| kind == "boolean") && property.get("default").is_none()
    });
    open.map(|(name, _)| (name.clone(), Value::Bool(true))).collect()
}
