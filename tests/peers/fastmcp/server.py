"""A server of FastMCP, with the tools that every peer has."""

import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import contract
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from pydantic import BaseModel

server = FastMCP("fastmcp-server", version="1")


@server.tool(output_schema=None)
def add(a: int, b: int) -> str:
    """Adds two numbers."""
    return str(a + b)


class Measure(BaseModel):
    """What there is to say about a text."""

    characters: int
    words: int


@server.tool
def measure(text: str) -> Measure:
    """Counts the characters and words of a text."""
    return Measure(characters=len(text), words=len(text.split()))


@server.tool(output_schema=None)
def fail() -> str:
    """Fails, on purpose."""
    raise ToolError("it was meant to fail")


@server.tool(output_schema=None)
async def count(to: int, context: Context) -> str:
    """Counts, and tells how far it is."""
    for number in range(1, to + 1):
        await context.report_progress(number, to, f"at {number}")
        await asyncio.sleep(0.02)
    return f"counted to {to}"


class Person(BaseModel):
    """Whom to greet."""

    name: str


@server.tool(output_schema=None)
async def greet(context: Context) -> str | InputRequiredResult:
    """Asks for a name, and greets."""
    if context.request_context.protocol_version < "2026-07-28":
        answer = await context.elicit("What is your name?", Person)
        return f"Hello, {answer.data.name}!"
    answers = context.input_responses
    if not answers:
        form = ElicitRequestFormParams(message="What is your name?", requested_schema=Person.model_json_schema())
        return InputRequiredResult(input_requests={"person": ElicitRequest(params=form)})
    return f"Hello, {answers['person'].content['name']}!"


if __name__ == "__main__":
    if contract.server_transport() == "stdio":
        server.run("stdio", show_banner=False)
    else:
        asyncio.run(contract.serve_http(server.http_app()))
