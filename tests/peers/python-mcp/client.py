"""The client of the Python SDK, `mcp`."""

import os
import pathlib
import sys
from importlib.metadata import version

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import contract
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


def target(options):
    """What `Client` connects to."""
    if options.transport == "stdio":
        program, *rest = options.command
        return StdioServerParameters(command=program, args=rest)
    if options.token is None:
        return options.url
    headers = {"Authorization": f"Bearer {options.token}"}
    return streamable_http_client(options.url, http_client=create_mcp_http_client(headers=headers))


def person(asked):
    """Who answers questions: with what HAFT_ANSWER says, or nobody. What was asked is kept."""
    answer = os.environ.get("HAFT_ANSWER")
    if answer is None:
        return {}

    async def answers(_context, params):
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"confirmed": answer == "yes"})

    return {"elicitation_callback": answers}


async def converse(options):
    """Connects, lists every page and makes the planned calls."""
    asked = []
    mode = {} if options.era == "default" else {"mode": options.era}
    mode |= person(asked)
    async with Client(target(options), **mode) as client:
        names, cursor = [], None
        while True:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        calls = []
        for entry in options.plan:
            result = await client.call_tool(entry["tool"], entry["arguments"])
            calls.append(contract.call_report(entry["tool"], result))
        return {"protocolVersion": client.protocol_version, "tools": names, "calls": calls, "asked": asked}


if __name__ == "__main__":
    contract.run("python-mcp", version("mcp"), converse)
