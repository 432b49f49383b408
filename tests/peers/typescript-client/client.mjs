// The client of the second TypeScript SDK, `@modelcontextprotocol/client`. Its default is the handshake era; `auto` probes.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { bearer, listAndCall, packageVersion, run } from "../contract.mjs";

async function converse(options) {
    const transport =
        options.transport === "stdio"
            ? new StdioClientTransport({ command: options.command[0], args: options.command.slice(1) })
            : new StreamableHTTPClientTransport(new URL(options.url), {
                  requestInit: { headers: bearer(options.token) },
              });
    const negotiation = options.era === "default" ? {} : { versionNegotiation: { mode: options.era } };
    const client = new Client({ name: "haft-peer", version: "1" }, negotiation);
    await client.connect(transport);
    try {
        const protocolVersion = client.getNegotiatedProtocolVersion();
        return { protocolVersion, ...(await listAndCall(client, options.plan)) };
    } finally {
        await transport.terminateSession?.();
        await client.close();
    }
}

await run("typescript-client", packageVersion(import.meta.dirname, "@modelcontextprotocol/client"), converse);
