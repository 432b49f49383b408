"""A server of the Python SDK, `mcp`, with the tools that every peer has."""

import asyncio
import pathlib
import sys
from typing import Annotated

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import contract
from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

server = MCPServer("python-mcp-server", version="1")


@server.tool(structured_output=False)
def add(a: int, b: int) -> str:
    """Adds two numbers."""
    return str(a + b)


class Measure(BaseModel):
    """What there is to say about a text."""

    characters: int
    words: int


@server.tool()
def measure(text: str) -> Measure:
    """Counts the characters and words of a text."""
    return Measure(characters=len(text), words=len(text.split()))


@server.tool(structured_output=False)
def fail() -> str:
    """Fails, on purpose."""
    raise ToolError("it was meant to fail")


@server.tool(structured_output=False)
async def count(to: int, context: Context) -> str:
    """Counts, and tells how far it is."""
    for number in range(1, to + 1):
        await context.report_progress(number, to, f"at {number}")
        await asyncio.sleep(0.02)
    return f"counted to {to}"


class Person(BaseModel):
    """Whom to greet."""

    name: str


def who() -> Elicit[Person]:
    """The question."""
    return Elicit("What is your name?", Person)


@server.tool(structured_output=False)
def greet(person: Annotated[Person, Resolve(who)]) -> str:
    """Asks for a name, and greets."""
    return f"Hello, {person.name}!"


if __name__ == "__main__":
    if contract.server_transport() == "stdio":
        server.run("stdio")
    else:
        asyncio.run(contract.serve_http(server.streamable_http_app()))
