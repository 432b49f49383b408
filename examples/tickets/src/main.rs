//! A small ticket tracker as tools: `example-tickets` over stdio, `example-tickets --http 127.0.0.1:7878` over HTTP.

mod store;
mod tracker;

use std::error::Error;

use haft::{Server, tools};

use crate::store::Tickets;
use crate::tracker::{close_ticket, create_ticket, get_ticket, search_tickets};

fn server() -> Result<Server, serde_json::Error> {
    let server = Server::new(tools![search_tickets, get_ticket, create_ticket, close_ticket])
        .name("tickets")
        .instructions("Tickets about one web application. Search before you create, so that nothing is filed twice.");
    Ok(server.state(Tickets::new()?))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = server()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => server.serve_stdio().await?,
        ["--http", address] => server.serve_http(address).await?,
        _ => return Err("the arguments are none, or `--http ADDRESS`".into()),
    }
    Ok(())
}

#[cfg(test)]
mod tests;
