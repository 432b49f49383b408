// A server of the second TypeScript SDK, `@modelcontextprotocol/server`, with the tools that every peer has.
//
// Over HTTP its own fallback for the handshake era has no sessions, so that it could not ask anything there: those requests go to
// the transport with sessions.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

import { toNodeHandler } from "@modelcontextprotocol/node";
import {
    McpServer,
    WebStandardStreamableHTTPServerTransport,
    acceptedContent,
    createMcpHandler,
    fromJsonSchema,
    inputRequired,
    isLegacyRequest,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const object = (properties) =>
    fromJsonSchema({ type: "object", properties, required: Object.keys(properties), additionalProperties: false });
const text = (text) => ({ content: [{ type: "text", text }] });

const PERSON = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

function build() {
    const server = new McpServer({ name: "typescript-server", version: "1" });

    server.registerTool(
        "add",
        { description: "Adds two numbers.", inputSchema: object({ a: { type: "integer" }, b: { type: "integer" } }) },
        ({ a, b }) => text(String(a + b)),
    );

    server.registerTool(
        "measure",
        {
            description: "Counts the characters and words of a text.",
            inputSchema: object({ text: { type: "string" } }),
            outputSchema: object({ characters: { type: "integer" }, words: { type: "integer" } }),
        },
        ({ text: measured }) => {
            const structuredContent = { characters: measured.length, words: measured.split(/\s+/).filter(Boolean).length };
            return { ...text(JSON.stringify(structuredContent)), structuredContent };
        },
    );

    server.registerTool("fail", { description: "Fails, on purpose.", inputSchema: object({}) }, () => {
        throw new Error("it was meant to fail");
    });

    server.registerTool(
        "count",
        { description: "Counts, and tells how far it is.", inputSchema: object({ to: { type: "integer" } }) },
        async ({ to }, context) => {
            const progressToken = context.mcpReq._meta?.progressToken;
            for (let number = 1; number <= to; number += 1) {
                if (progressToken !== undefined) {
                    const params = { progressToken, progress: number, total: to, message: `at ${number}` };
                    await context.mcpReq.notify({ method: "notifications/progress", params });
                }
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
            return text(`counted to ${to}`);
        },
    );

    server.registerTool("greet", { description: "Asks for a name, and greets.", inputSchema: object({}) }, (_, context) => {
        const person = acceptedContent(context.mcpReq.inputResponses, "person");
        if (person !== undefined) return text(`Hello, ${person.name}!`);
        const question = inputRequired.elicit({ message: "What is your name?", requestedSchema: PERSON });
        return inputRequired({ inputRequests: { person: question } });
    });

    return server;
}

const sessions = new Map();

async function withSession(request) {
    const known = sessions.get(request.headers.get("mcp-session-id"));
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
        onsessionclosed: (id) => sessions.delete(id),
    });
    await build().connect(transport);
    return transport.handleRequest(request);
}

function serveHttp() {
    const stateless = createMcpHandler(build, { legacy: "reject" });
    const both = {
        fetch: async (request) => ((await isLegacyRequest(request.clone())) ? withSession(request) : stateless.fetch(request)),
    };
    const server = createServer(toNodeHandler(both));
    server.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${server.address().port}/mcp`));
}

const [transport, ...rest] = process.argv.slice(2);
if (transport === "stdio" && rest.length === 0) serveStdio(build);
else if (transport === "http" && rest.length === 0) serveHttp();
else {
    console.error("usage: stdio|http");
    process.exitCode = 1;
}
