//! Servers that are scripts of the shell, and do as a test needs it.

use crate::binary::Folder;

/// What a script begins with: `say` writes a message, `hear` reads one into `$line`.
const BEGIN: &str =
    "say() { printf '%s\\n' \"$1\"; }\nhear() { IFS= read -r line || exit 0; printf '%s\\n' \"$line\" >>heard; }\n";

/// A handshake, after which the next request has id 3.
const HANDSHAKE: &str = r#"
hear; say '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"what?"}}'
hear; say '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}}'
hear
"#;

/// A tool that only says something, and claims to read only.
pub(crate) const ECHO: &str = r#"{"name":"echo","description":"Says it again. Use it for tests.","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"text":{"type":"string"},"times":{"type":"integer"}},"required":["text"]}}"#;
/// A tool of which nothing is known.
pub(crate) const WRITE: &str = r#"{"name":"write","description":"Writes it. \u001b[2J","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}"#;

/// A folder with a server in `server`, to be started as `sh server`.
pub(crate) fn server(script: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("server", &format!("{BEGIN}{script}\nhear\n"));
    folder
}

/// A server with these tools that answers one call with this result, and everything after it with nothing.
pub(crate) fn answering(tools: &str, result: &str) -> Folder {
    server(&format!("{HANDSHAKE}{}{}", page(3, tools, None), answer(4, result)))
}

/// A server with these tools that does this instead of answering a call, which it has heard.
pub(crate) fn doing(tools: &str, script: &str) -> Folder {
    server(&format!("{HANDSHAKE}{}hear\n{script}", page(3, tools, None)))
}

/// A server that hands its tools out in pages.
pub(crate) fn paged(pages: &[String]) -> Folder {
    let mut script = HANDSHAKE.to_owned();
    for (index, tools) in pages.iter().enumerate() {
        let next = (index + 1 < pages.len()).then(|| format!("page {}", index + 2));
        script.push_str(&page(3 + index, tools, next.as_deref()));
    }
    server(&script)
}

/// Hears a request, and answers with a page of tools.
pub(crate) fn page(id: usize, tools: &str, next: Option<&str>) -> String {
    let next = next.map(|next| format!(",\"nextCursor\":\"{next}\"")).unwrap_or_default();
    answer(id, &format!("{{\"tools\":[{tools}]{next}}}"))
}

/// Hears a request, and answers it.
pub(crate) fn answer(id: usize, result: &str) -> String {
    let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}").replace('\'', r"'\''");
    format!("hear; say '{message}'\n")
}

/// A script that begins with the handshake.
pub(crate) fn shaking(script: &str) -> Folder {
    server(&format!("{HANDSHAKE}{script}"))
}

/// How often the server heard a method.
pub(crate) fn heard(folder: &Folder, method: &str) -> usize {
    folder.read("heard").matches(&format!("\"{method}\"")).count()
}
