//! What a person is told about a server that begins: what it serves, where, and how clients connect.

use std::path::PathBuf;

use haft_diag::escape;
use haft_transport::http::Address;
use serde_json::{Value, json};

use super::access::{Access, Origin};
use crate::environment;

/// What is served, as it is announced.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) name: String,
    /// A line for each tool.
    pub(super) tools: String,
    /// The manifest, absolute.
    pub(super) path: PathBuf,
}

/// The lines that a server begins with.
pub(super) fn announcement(served: &Served, address: &Address, access: &Access) -> String {
    let begin = format!(
        "serving `{}` from {}\n{}\n",
        escape(&served.name),
        escape(&served.path.display().to_string()),
        served.tools
    );
    let Address::Tcp(socket) = address else {
        return format!("{begin}listening on {}, for this user alone\n\n{END}", escape(&address.to_string()));
    };
    let url = format!("http://{socket}/mcp");
    let who = match access {
        Access::Everybody => NO_AUTH.to_owned(),
        Access::Token(_, Origin::Environment) => "\n<token> stands for the value of `HAFT_TOKEN`.\n".to_owned(),
        Access::Token(_, Origin::File(path)) => {
            format!("\n<token> stands for what is in {}.\n", escape(&path.display().to_string()))
        }
        Access::ThisUser | Access::Token(_, Origin::State(_)) => String::new(),
    };
    format!("{begin}listening on {url}\n{who}\n{}\n{END}", clients(served, &url, access))
}

/// How the common clients connect.
fn clients(served: &Served, url: &str, access: &Access) -> String {
    let name = nickname(&served.name);
    let bearer = authorization(access);
    let header = bearer.as_ref().map(|bearer| format!(" --header \"Authorization: {bearer}\"")).unwrap_or_default();
    let (http, typed) = match bearer {
        None => (json!({ "url": url }), json!({ "type": "http", "url": url })),
        Some(bearer) => {
            let headers = json!({ "Authorization": bearer });
            (json!({ "url": url, "headers": headers }), json!({ "type": "http", "url": url, "headers": headers }))
        }
    };
    let program = environment::program().map_or_else(|| "haft".to_owned(), |path| path.display().to_string());
    let stdio = json!({ "command": program, "args": ["serve", "--stdio", served.path.display().to_string()] });
    format!(
        "Claude Code:\n  claude mcp add --transport http {name} {url}{header}\n\
         VS Code, .vscode/mcp.json:\n  {}\n\
         Cursor, .cursor/mcp.json:\n  {}\n\
         Clients that start their servers:\n  {}\n",
        one("servers", &name, &typed),
        one("mcpServers", &name, &http),
        one("mcpServers", &name, &stdio),
    )
}

/// What clients send. Only a token that was made here is shown; whoever set another one knows it.
fn authorization(access: &Access) -> Option<String> {
    match access {
        Access::Everybody | Access::ThisUser => None,
        Access::Token(token, Origin::State(_)) => Some(format!("Bearer {}", token.reveal())),
        Access::Token(_, Origin::Environment | Origin::File(_)) => Some("Bearer <token>".to_owned()),
    }
}

fn one(key: &str, name: &str, entry: &Value) -> String {
    escape(&json!({ key: { name: entry } }).to_string()).into_owned()
}

/// The name as clients and shells take it.
fn nickname(name: &str) -> String {
    let plain: String =
        name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '-' }).collect();
    let plain = plain.trim_matches('-');
    if plain.is_empty() { "haft".to_owned() } else { plain.to_owned() }
}

const END: &str = "Ctrl-C ends it.\n";

const NO_AUTH: &str = "\nNobody is asked who they are (`--no-auth`): every program of every user of this machine can call these tools.\n\
                       Pages in a browser still cannot: their origin is checked.\n";

#[cfg(test)]
mod tests {
    use super::nickname;

    #[test]
    fn a_name_is_printed_so_that_a_shell_takes_it_as_one_word() {
        for (name, expected) in [
            ("quickstart", "quickstart"),
            ("my tools", "my-tools"),
            ("x; rm -rf $HOME", "x--rm--rf--HOME"),
            ("--help", "help"),
            ("本", "haft"),
            ("", "haft"),
        ] {
            assert_eq!(nickname(name), expected);
        }
    }
}
