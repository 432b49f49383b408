//! What the client does in each scenario.

use haft_client::{CallOptions, Client};
use haft_wire::model::{Content, Returned};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::Failure;

/// Does what the suite wants to see in a scenario.
pub(crate) async fn play(client: &Client, scenario: &str, context: Option<&str>) -> Result<(), Failure> {
    match scenario {
        "elicitation-sep1034-client-defaults" => called(client, "test_client_elicitation_defaults", "").await,
        "http-custom-headers" => calls_of_the_context(client, context).await,
        "http-invalid-tool-headers" => every_usable_tool(client).await,
        "http-standard-headers" => everything_once(client).await,
        "initialize" | "request-metadata" => listed(client).await,
        "json-schema-2020-12-preservation" => schema_given_back(client).await,
        "json-schema-ref-no-deref" => foreign_reference(client).await,
        "sep-2322-client-request-state" => rounds(client).await,
        "sse-retry" => called(client, "test_reconnection", "Reconnection test completed").await,
        "tools_call" => sum(client).await,
        // Those for authorization, which a client that reaches this point did not need.
        _ => listed(client).await,
    }
}

async fn listed(client: &Client) -> Result<(), Failure> {
    let tools = client.tools().await?;
    println!("{} tools, {} set aside", tools.list.len(), tools.set_aside.len());
    Ok(())
}

async fn sum(client: &Client) -> Result<(), Failure> {
    let returned = client.call("add_numbers", r#"{"a":5,"b":3}"#, &CallOptions::default()).await?;
    told(&returned, "The sum of 5 and 3 is 8")
}

/// Calls a tool without arguments, whose text has to hold `wanted`.
async fn called(client: &Client, tool: &str, wanted: &str) -> Result<(), Failure> {
    told(&client.call(tool, "{}", &CallOptions::default()).await?, wanted)
}

/// The arguments of one call do not fit their schema: the suite wants to see that `null` is not mirrored.
async fn calls_of_the_context(client: &Client, context: Option<&str>) -> Result<(), Failure> {
    let context: Context = serde_json::from_str(context.ok_or("the scenario has no context")?)?;
    client.tools().await?;
    for call in context.tool_calls {
        let mut options = CallOptions::default();
        options.checks_arguments = call.name != "test_custom_headers_null";
        client.call(&call.name, call.arguments.get(), &options).await?;
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    tool_calls: Vec<PlannedCall>,
}

#[derive(Deserialize)]
struct PlannedCall {
    name: String,
    arguments: Box<RawValue>,
}

/// Calls what the client offers, and tries what it set aside: none of that may reach the server.
async fn every_usable_tool(client: &Client) -> Result<(), Failure> {
    let tools = client.tools().await?;
    for tool in &tools.list {
        client.call(&tool.definition().name, r#"{"region":"us-west1"}"#, &CallOptions::default()).await?;
    }
    for aside in &tools.set_aside {
        let name = aside.name.as_deref().ok_or("a tool without a name was set aside")?;
        println!("{name}: {}", aside.reason);
        let mut options = CallOptions::default();
        options.checks_arguments = false;
        if client.call(name, "{}", &options).await.is_ok() {
            return Err(format!("`{name}` was called").into());
        }
    }
    Ok(())
}

async fn everything_once(client: &Client) -> Result<(), Failure> {
    for tool in &client.tools().await?.list {
        client.call(&tool.definition().name, "{}", &CallOptions::default()).await?;
    }
    for resource in client.resources().await? {
        let uri = member(&resource, "uri")?;
        client.read_resource(&uri).await?;
    }
    for prompt in client.prompts().await? {
        let name = member(&prompt, "name")?;
        client.prompt(&name, None).await?;
    }
    Ok(())
}

fn member(item: &RawValue, name: &str) -> Result<String, Failure> {
    let value: Value = serde_json::from_str(item.get())?;
    let text = value.get(name).and_then(Value::as_str).ok_or("an entry of a list has no name")?;
    Ok(text.to_owned())
}

async fn schema_given_back(client: &Client) -> Result<(), Failure> {
    let tool = client.tool("json_schema_2020_12_tool").await?;
    let arguments = format!(r#"{{"schema":{}}}"#, tool.definition().input_schema.get());
    let returned = client.call("json_schema_echo", &arguments, &CallOptions::default()).await?;
    told(&returned, "echoed")
}

/// Arguments are not checked against a schema that lies elsewhere, nor is it fetched.
async fn foreign_reference(client: &Client) -> Result<(), Failure> {
    let tool = client.tool("lookup_user").await?;
    match tool.input() {
        Ok(_) => Err("a schema was used of which a part lies elsewhere".into()),
        Err(error) => {
            println!("{error}");
            Ok(())
        }
    }
}

/// A call beside another one that is asked in rounds knows nothing of it.
async fn rounds(client: &Client) -> Result<(), Failure> {
    client.tools().await?;
    let (echo, unrelated) = tokio::join!(
        called(client, "test_mrtr_echo_state", "echo-state-ok"),
        called(client, "test_mrtr_unrelated", "unrelated-ok"),
    );
    echo?;
    unrelated?;
    called(client, "test_mrtr_no_state", "no-state-ok").await?;
    called(client, "test_mrtr_unrelated", "unrelated-ok").await?;
    called(client, "test_mrtr_no_result_type", "no-result-type-test-ok").await
}

fn told(returned: &Returned, wanted: &str) -> Result<(), Failure> {
    let mut texts = returned.result.content.iter().filter_map(|content| match content {
        Content::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    if !returned.result.is_error && texts.any(|text| text.contains(wanted)) {
        return Ok(());
    }
    Err(format!("another answer than `{wanted}`: {}", json!(returned.raw)).into())
}
