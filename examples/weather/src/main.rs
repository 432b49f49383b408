//! Weather from a table, in the raw tier: the definition is a file, the arguments are JSON, the answer is text.

use haft::{RawTool, Server, ToolError, tools};
use serde::Deserialize;

#[derive(Deserialize)]
struct Asked {
    location: String,
    units: Option<String>,
}

fn weather(asked: &Asked) -> Result<String, ToolError> {
    let known = TABLE.iter().find(|(city, ..)| *city == asked.location);
    let Some((city, celsius, sky)) = known else {
        return Err(ToolError::tell(format!("Error: Location '{}' not found.", asked.location)));
    };
    Ok(match asked.units.as_deref() {
        Some("fahrenheit") => format!("{city}: {}°F, {sky}", (celsius * 9 + 162) / 5),
        _ => format!("{city}: {celsius}°C, {sky}"),
    })
}

#[tokio::main]
async fn main() -> haft::Result {
    let tool = RawTool::new(include_str!("get_weather.json"), |arguments, _| async move {
        weather(&serde_json::from_str(arguments.get())?)
    })?;
    Server::new(tools![]).tool(tool).serve_stdio().await
}

const TABLE: [(&str, i32, &str); 3] = [
    ("London", 11, "Light rain. Wind: 20 km/h W."),
    ("Paris, France", 14, "Overcast. Wind: 9 km/h NE."),
    ("San Francisco", 18, "Partly cloudy. Wind: 15 km/h SW."),
];
