//! `haft inspect`: what a server is and can do.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use haft_client::{Client, ClientError, Server};
use haft_diag::escape;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::arguments::Inspect;
use crate::failure::Failure;
use crate::list::count as count_of;
use crate::printer::{self, Printer};
use crate::server::{self, Connected, Prepared};
use crate::sheet::Sheet;

/// Prints what is known after a look at everything that can be listed.
pub(crate) fn run(inspect: &Inspect, printer: Printer) -> Result<ExitCode, Failure> {
    let named = server::resolve(inspect.target.as_deref(), &inspect.command, &inspect.reach)?;
    let prepared = server::prepare(named, &inspect.reach)?;
    printer.warnings(&prepared.warnings);
    let options = server::options(&prepared.named, &inspect.reach);
    server::with_client(&prepared, options, async |connected| {
        let seen = Seen::look(connected).await.map_err(|error| server::explain(&error, &prepared.named))?;
        if inspect.json {
            printer::json(&format!("{}\n", crate::json::pretty(&seen.json(&prepared).to_string())))?;
        } else {
            printer::data(&seen.text(&prepared))?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

struct Seen {
    server: Server,
    after: Duration,
    list: Duration,
    ping: Result<Duration, String>,
    tools: Result<String, String>,
    counts: Vec<(&'static str, Result<usize, String>)>,
    remarks: Vec<String>,
}

impl Seen {
    async fn look(connected: &Connected) -> Result<Self, ClientError> {
        let client = &connected.client;
        let server = client.server().await?;
        let capabilities = &server.introduction.capabilities;
        let begun = Instant::now();
        // A server that declares no tools may have some all the same; that it has none is then no fault.
        let listed = client.tools().await;
        let list = begun.elapsed();
        let (number, tools) = match listed {
            Ok(tools) => {
                let missing = tools.missing.as_deref().map(|missing| format!("; {missing}")).unwrap_or_default();
                let text = format!("{}{missing}", count_of(&tools));
                (Ok(tools.list.len()), Ok(text))
            }
            Err(error) => (Err(told(&error)), Err(told(&error))),
        };
        let mut counts = vec![("tools", number)];
        if capabilities.resources {
            counts.push(("resources", count(client.resources().await)));
            counts.push(("templates", count(client.resource_templates().await)));
        }
        if capabilities.prompts {
            counts.push(("prompts", count(client.prompts().await)));
        }
        let ping = ping(client).await;
        let remarks = client.remarks().await;
        Ok(Self { server, after: connected.after, list, ping, tools, counts, remarks })
    }

    fn text(&self, prepared: &Prepared) -> String {
        let introduction = &self.server.introduction;
        let said = |member: &str| introduction.info_text(member).unwrap_or_default();
        let mut text = Sheet::new(format!("server        {}\n", prepared.named.identity()));
        let title = Some(said("title")).filter(|title| !title.is_empty()).map(|title| format!(" ({title})"));
        let name = format!("{} {}{}", said("name"), said("version"), title.unwrap_or_default());
        text.add(&format!("calls itself  {}\n", escape(name.trim())));
        text.add(&format!("speaks        {}, {}{}\n", self.server.version, self.begins(), self.session()));
        text.add(&format!("offers        {}\n", escape(&introduction.versions.join(", "))));
        text.add(&format!("capabilities  {}\n", self.capabilities()));
        let tools = self.tools.as_ref().unwrap_or_else(|error| error);
        text.add(&format!("lists         {}\n", escape(tools)));
        for (what, count) in self.counts.iter().skip(1) {
            let count = count.as_ref().map_or_else(|error| escape(error).into_owned(), ToString::to_string);
            text.add(&format!("{what:<13} {count}\n"));
        }
        let ping = self.ping.as_ref().map_or_else(|error| escape(error).into_owned(), |time| milliseconds(*time));
        text.add(&format!(
            "timings       first answer {}, list {}, ping {ping}\n",
            milliseconds(self.after),
            milliseconds(self.list)
        ));
        if let Some(instructions) = introduction.instructions.as_deref().filter(|text| !text.trim().is_empty()) {
            text.add("instructions\n");
            let lines: Vec<&str> = instructions.lines().collect();
            for line in lines.iter().take(MOST_LINES) {
                text.add(&format!("  | {}\n", escape(line)));
            }
            if let Some(more @ 1..) = lines.len().checked_sub(MOST_LINES) {
                text.add(&format!("  … {more} more lines; `--json` prints them\n"));
            }
        }
        for remark in &self.remarks {
            text.add(&format!("remark        {}\n", escape(remark)));
        }
        text.into()
    }

    fn begins(&self) -> &'static str {
        if self.server.has_handshake { "begins with a handshake" } else { "begins without a handshake" }
    }

    fn session(&self) -> &'static str {
        if self.server.has_session { ", in a session" } else { "" }
    }

    /// What was declared, each with the members that it has.
    fn capabilities(&self) -> String {
        let raw = self.server.introduction.capabilities.raw.as_deref().map_or("{}", RawValue::get);
        let declared: Value = serde_json::from_str(raw).unwrap_or_default();
        let members = declared.as_object().into_iter().flatten();
        let one = |(name, value): (&String, &Value)| {
            let options = value.as_object().into_iter().flatten();
            let options: Vec<&str> =
                options.filter(|(_, value)| **value != Value::Bool(false)).map(|(name, _)| name.as_str()).collect();
            let options = if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
            escape(&format!("{name}{options}")).into_owned()
        };
        let declared: Vec<String> = members.map(one).collect();
        if declared.is_empty() { "none".to_owned() } else { declared.join(", ") }
    }

    fn json(&self, prepared: &Prepared) -> Value {
        let introduction = &self.server.introduction;
        let value = |raw: Option<&RawValue>| raw.and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok());
        let counts: serde_json::Map<String, Value> = self
            .counts
            .iter()
            .map(|(what, count)| ((*what).to_owned(), count.as_ref().map_or(Value::Null, |count| json!(count))))
            .collect();
        json!({
            "target": prepared.named.identity(),
            "protocolVersion": self.server.version,
            "handshake": self.server.has_handshake,
            "session": self.server.has_session,
            "versions": introduction.versions,
            "info": value(introduction.info.as_deref()),
            "capabilities": value(introduction.capabilities.raw.as_deref()),
            "instructions": introduction.instructions,
            "counts": counts,
            "milliseconds": {
                "firstAnswer": thousandths(self.after),
                "list": thousandths(self.list),
                "ping": self.ping.as_ref().ok().map(|time| thousandths(*time)),
            },
            "remarks": self.remarks,
            "warnings": prepared.warnings,
        })
    }
}

fn count<T>(listed: Result<Vec<T>, ClientError>) -> Result<usize, String> {
    listed.map(|items| items.len()).map_err(|error| told(&error))
}

async fn ping(client: &Client) -> Result<Duration, String> {
    let begun = Instant::now();
    client.ping().await.map(|()| begun.elapsed()).map_err(|error| told(&error))
}

fn told(error: &ClientError) -> String {
    match error {
        ClientError::Peer { source, .. } => format!("{error}: {source}"),
        error => error.to_string(),
    }
}

fn thousandths(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1000.0
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// What a stranger says must not push what haft says off the screen.
const MOST_LINES: usize = 8;
