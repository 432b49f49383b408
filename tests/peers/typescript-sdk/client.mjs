// The client of the first TypeScript SDK, `@modelcontextprotocol/sdk`. It knows the handshake era only.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { bearer, listAndCall, packageVersion, run } from "../contract.mjs";

async function converse(options) {
    if (options.era === "auto") throw new Error("@modelcontextprotocol/sdk does not know 2026-07-28");
    const transport =
        options.transport === "stdio"
            ? new StdioClientTransport({ command: options.command[0], args: options.command.slice(1) })
            : new StreamableHTTPClientTransport(new URL(options.url), {
                  requestInit: { headers: bearer(options.token) },
              });
    // The SDK gives the version to its transport only; only that of HTTP keeps it.
    let protocolVersion;
    const keep = transport.setProtocolVersion?.bind(transport);
    transport.setProtocolVersion = (version) => {
        protocolVersion = version;
        keep?.(version);
    };
    const client = new Client({ name: "haft-peer", version: "1" });
    await client.connect(transport);
    try {
        return { protocolVersion, ...(await listAndCall(client, options.plan)) };
    } finally {
        await transport.terminateSession?.();
        await client.close();
    }
}

await run("typescript-sdk", packageVersion(import.meta.dirname, "@modelcontextprotocol/sdk"), converse);
