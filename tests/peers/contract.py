"""What every Python peer shares: its arguments, its deadline, the one line that it prints, and where it listens."""

import argparse
import asyncio
import json
import socket
import sys
import traceback

DEADLINE_SECONDS = 30


def arguments():
    """Reads `--plan FILE [--era ERA] (stdio -- COMMAND… | http URL [TOKEN])`."""
    parser = argparse.ArgumentParser(description="Lists and calls the tools of one MCP server.")
    parser.add_argument("--plan", required=True, help="JSON file: [{tool, arguments}]")
    parser.add_argument("--era", default="default", choices=["default", "legacy", "auto"])
    transports = parser.add_subparsers(dest="transport", required=True)
    stdio = transports.add_parser("stdio")
    stdio.add_argument("command", nargs="+")
    http = transports.add_parser("http")
    http.add_argument("url")
    http.add_argument("token", nargs="?")
    options = parser.parse_args()
    with open(options.plan, encoding="utf-8") as file:
        options.plan = json.load(file)
    return options


def call_report(tool, result):
    """One entry of `calls`, from a result in the wire's names."""
    wire = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    texts = [block["text"] for block in wire["content"] if block["type"] == "text"]
    return {
        "tool": tool,
        "isError": wire.get("isError", False),
        "text": "\n".join(texts),
        "structured": wire.get("structuredContent"),
    }


def run(peer, version, converse):
    """Runs `converse(options)` under the deadline and prints its report; any failure is exit 1."""
    options = arguments()

    async def bounded():
        return await asyncio.wait_for(converse(options), DEADLINE_SECONDS)

    try:
        report = asyncio.run(bounded())
    except BaseException as error:  # a peer's task groups raise groups, timeouts and exits alike
        traceback.print_exception(error)
        sys.exit(1)
    print(json.dumps({"peer": peer, "version": version, **report}))


async def serve_http(app):
    """Serves an ASGI application on a free port of loopback and says where, on one line."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listener])


def server_transport():
    """`stdio` or `http`: how a server of the contract is reached."""
    parser = argparse.ArgumentParser(description="Serves the tools that every peer has.")
    parser.add_argument("transport", choices=["stdio", "http"])
    return parser.parse_args().transport
