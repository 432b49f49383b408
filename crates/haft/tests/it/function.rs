//! The function under `#[tool]` is a function like any other.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use haft::{Server, ToolError, tool, tools};
use serde_json::json;

use crate::conversation::Conversation;

/// Doubles a number.
#[tool(read_only)]
async fn double(number: u32) -> u32 {
    number * 2
}

/// Fails with whatever it is told.
#[tool]
async fn fail(with: String) -> Result<String, ToolError> {
    Err(ToolError::tell(with))
}

/// Says on which thread it runs.
#[tool(read_only)]
fn thread() -> String {
    std::thread::current().name().unwrap_or("none").to_owned()
}

/// Waits until two are here: one alone waits in vain.
#[tool(read_only)]
fn meet() -> bool {
    let mut here = HERE.lock().unwrap();
    *here += 1;
    ARRIVED.notify_all();
    let (here, _) = ARRIVED.wait_timeout_while(here, Duration::from_secs(5), |here| *here < 2).unwrap();
    *here == 2
}

static HERE: Mutex<u8> = Mutex::new(0);
static ARRIVED: Condvar = Condvar::new();

/// A keyword of Rust for a name.
#[tool]
async fn r#match(r#type: String) -> String {
    r#type
}

pub(crate) mod files {
    use haft::tool;

    /// Reads nothing.
    #[tool(read_only)]
    pub(crate) async fn read() -> &'static str {
        "nothing"
    }
}

/// Makes tools as a user's own macro may.
macro_rules! unit_tools {
    ($($name:ident, $about:literal, $unit:ty, $factor:expr;)*) => {$(
        #[doc = $about]
        #[tool(read_only)]
        async fn $name(#[doc = "How much."] #[arg(default = $factor)] amount: $unit, note: Option<$unit>) -> String {
            format!("{amount} {note:?}")
        }
    )*};
}

unit_tools! {
    grams, "Counts grams.", u32, 1;
    metres, "Counts metres.", f64, 0.5;
}

#[cfg(any())]
/// Is not there.
#[tool]
async fn absent(nothing: Missing) {}

#[tokio::test]
async fn the_function_can_be_called_by_its_author() {
    assert_eq!(double(4).await, 8);
    assert_eq!(fail("so".to_owned()).await.unwrap_err().told(), Some("so"));
    assert!(!thread().is_empty());
}

#[tokio::test]
async fn the_set_brings_name_and_version_of_the_crate_that_it_stands_in() {
    let hello = Conversation::hello(Server::new(tools![double]));
    assert_eq!(hello, json!({ "name": "haft", "version": env!("CARGO_PKG_VERSION") }));
    let hello = Conversation::hello(Server::new(tools![double]).name("mine").version("2.0").title("Mine"));
    assert_eq!(hello, json!({ "name": "mine", "version": "2.0", "title": "Mine" }));
}

#[tokio::test]
async fn tools_of_other_modules_and_with_the_names_of_keywords_are_called_by_their_own_name() {
    let client = Conversation::with(Server::new(tools![files::read, r#match,]));
    assert_eq!(client.text("read", json!({})).await, "nothing");
    assert_eq!(client.text("match", json!({ "type": "so" })).await, "so");
}

#[tokio::test]
async fn a_macro_of_the_user_can_make_tools() {
    let client = Conversation::with(Server::new(tools![grams, metres]));
    assert_eq!(client.text("grams", json!({})).await, "1 None");
    assert_eq!(client.text("metres", json!({ "amount": 2, "note": 1.5 })).await, "2 Some(1.5)");
}

#[tokio::test(flavor = "current_thread")]
async fn a_function_that_blocks_runs_beside_the_others() {
    let client = Conversation::with(Server::new(tools![meet, thread]));
    let meet = || client.text("meet", json!({}));
    assert_eq!(tokio::join!(meet(), meet()), ("true".to_owned(), "true".to_owned()));
    assert_ne!(client.text("thread", json!({})).await, thread());
}

#[tokio::test]
async fn no_tools_are_a_set_too() {
    assert!(Server::new(tools![]).build().unwrap().tool_names().is_empty());
}
