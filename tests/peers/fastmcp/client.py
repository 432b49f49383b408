"""The client of FastMCP."""

import pathlib
import sys
from importlib.metadata import version

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import contract
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport


def transport(options):
    """The transport that `Client` is given."""
    if options.transport == "stdio":
        program, *rest = options.command
        return StdioTransport(command=program, args=rest, keep_alive=False)
    return StreamableHttpTransport(options.url, auth=options.token)


async def converse(options):
    """Connects, lists every page and makes the planned calls."""
    mode = {} if options.era == "default" else {"mode": options.era}
    async with Client(transport(options), **mode) as client:
        names = [tool.name for tool in await client.list_tools()]
        calls = []
        for entry in options.plan:
            result = await client.call_tool_mcp(entry["tool"], entry["arguments"])
            calls.append(contract.call_report(entry["tool"], result))
        return {"protocolVersion": client.protocol_version, "tools": names, "calls": calls}


if __name__ == "__main__":
    contract.run("fastmcp", version("fastmcp"), converse)
