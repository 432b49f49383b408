// The command line of MCP Inspector: one program per request, as a person or a CI job types it.
// Its default for a target on the command line is the handshake era; `--protocol-era auto` probes.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DEADLINE_MS, callReport, packageVersion, run } from "../contract.mjs";

const PACKAGE = "@modelcontextprotocol/inspector";
const LAUNCHER = join(import.meta.dirname, "node_modules", PACKAGE, "clients/launcher/build/index.js");
const EXIT_TOOL_ERROR = 5;
// Each request starts a program of its own, so the deadline holds for each.
const WHOLE_DEADLINE_MS = 8 * DEADLINE_MS;

function target(options) {
    if (options.transport === "stdio") return ["--", ...options.command];
    const header = options.token === undefined ? [] : ["--header", `Authorization: Bearer ${options.token}`];
    // An option that takes many values must not stand before the target.
    return ["--transport", "http", "--server-url", options.url, "--stored-auth-only", ...header];
}

function inspect(home, args) {
    return new Promise((resolve, reject) => {
        const environment = { ...process.env, HOME: home, MCP_CATALOG_PATH: join(home, "mcp.json") };
        const child = spawn(process.execPath, [LAUNCHER, "--cli", "--format", "json", ...args], {
            env: environment,
            stdio: ["ignore", "pipe", "pipe"],
            timeout: DEADLINE_MS,
        });
        let stdout = "";
        let stderr = "";
        child.stdout.on("data", (chunk) => (stdout += chunk));
        child.stderr.on("data", (chunk) => (stderr += chunk));
        child.on("error", reject);
        child.on("close", (code, signal) => {
            if (code === 0 || code === EXIT_TOOL_ERROR) resolve(JSON.parse(stdout).result);
            else reject(new Error(`inspector ${args.join(" ")}: ${signal ?? `exit ${code}`}\n${stderr}${stdout}`));
        });
    });
}

async function converse(options) {
    const home = mkdtempSync(join(tmpdir(), "haft-inspector-"));
    const era = options.era === "default" ? [] : ["--protocol-era", options.era];
    const ask = (...args) => inspect(home, [...args, ...era, ...target(options)]);
    try {
        const { protocolVersion } = await ask("--method", "initialize");
        const listed = await ask("--method", "tools/list");
        const calls = [];
        for (const entry of options.plan) {
            const named = ["--tool-name", entry.tool, "--tool-args-json", JSON.stringify(entry.arguments)];
            calls.push(callReport(entry.tool, await ask("--method", "tools/call", ...named)));
        }
        return { protocolVersion, tools: listed.tools.map((tool) => tool.name), calls };
    } finally {
        rmSync(home, { recursive: true, force: true });
    }
}

await run("inspector", packageVersion(import.meta.dirname, PACKAGE), converse, WHOLE_DEADLINE_MS);
