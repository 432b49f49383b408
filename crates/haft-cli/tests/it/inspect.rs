//! `haft inspect`.

use expect_test::expect;

use crate::binary::{Finished, Folder};
use crate::script::{ECHO, page, server};

/// Times differ from run to run.
fn without_times(mut finished: Finished) -> Finished {
    let mut text = String::new();
    for part in finished.stdout.split_inclusive(" ms") {
        match part.strip_suffix(" ms").and_then(|part| part.rsplit_once(' ')) {
            Some((before, _)) => text.extend([before, " … ms"]),
            None => text.extend([part]),
        }
    }
    finished.stdout = text;
    // A line of the log begins with the time.
    let line = |line: &str| format!("{}\n", line.split_once("Z  WARN").map_or(line, |(_, line)| line));
    finished.stderr = finished.stderr.lines().map(line).collect();
    finished
}

fn scripted() -> Folder {
    let introduction = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":false},"logging":{},"x\u001b":{}},"serverInfo":{"name":"s\u001b","version":"1"},"instructions":"First.\nSecond\u202e."}"#;
    server(&format!(
        "echo 'starting up'\nhear; say '{{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{{\"code\":-32601,\"message\":\"\"}}}}'\n\
         hear; say '{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{introduction}}}'\nhear\n{}hear; say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{{}}}}'\n",
        page(3, ECHO, None)
    ))
}

#[test]
fn a_server_is_described_with_what_was_odd_about_it() {
    without_times(scripted().run(&["inspect", "--", "sh", "server"])).check(&expect![[r#"
        exit code: 0
        stdout:
        server        sh server
        calls itself  s\u{1b} 1
        speaks        2025-06-18, begins with a handshake
        offers        2025-06-18
        capabilities  tools, logging, x\u{1b}
        lists         1 tool
        timings       first answer … ms, list … ms, ping … ms
        instructions
          | First.
          | Second\u{202e}.
        remark        stdout has a line that is no message: starting up
        stderr:
         haft::server: stdout has a line that is no message: starting up
    "#]]);
    let finished = scripted().run(&["inspect", "--json", "--", "sh", "server"]);
    let seen: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!((seen["handshake"].as_bool(), seen["counts"]["tools"].as_u64()), (Some(true), Some(1)), "{seen}");
    assert_eq!(seen["instructions"], "First.\nSecond\u{202e}.");
}

#[test]
fn a_manifest_is_described_too() {
    let folder = Folder::with_script(":", "");
    without_times(folder.run(&["inspect", "haft.toml"])).check(&expect![[r#"
        exit code: 0
        stdout:
        server        the tools of $FOLDER/haft.toml
        calls itself  scripted 0.0.0
        speaks        2026-07-28, begins without a handshake
        offers        2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05
        capabilities  tools (listChanged)
        lists         1 tool
        timings       first answer … ms, list … ms, ping … ms
        stderr:
    "#]]);
}
