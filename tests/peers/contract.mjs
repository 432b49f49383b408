// What every JavaScript peer shares: its arguments, its deadline and the one line that it prints.

import { readFileSync } from "node:fs";

export const DEADLINE_MS = 30_000;

const USAGE = "usage: --plan FILE [--era default|legacy|auto] (stdio -- COMMAND… | http URL [TOKEN])";

/** Reads `--plan FILE [--era ERA] (stdio -- COMMAND… | http URL [TOKEN])`. */
export function readArguments(argv = process.argv.slice(2)) {
    const options = { era: "default" };
    const rest = [...argv];
    while (rest[0]?.startsWith("--")) {
        const [flag, value] = rest.splice(0, 2);
        if (flag === "--plan" && value !== undefined) options.plan = JSON.parse(readFileSync(value, "utf8"));
        else if (flag === "--era" && ["default", "legacy", "auto"].includes(value)) options.era = value;
        else throw new Error(USAGE);
    }
    options.transport = rest.shift();
    if (rest[0] === "--") rest.shift();
    if (options.transport === "stdio") options.command = rest;
    else if (options.transport === "http") [options.url, options.token] = rest;
    else throw new Error(USAGE);
    if (options.plan === undefined || rest.length === 0) throw new Error(USAGE);
    return options;
}

/** Request headers for an optional bearer token. */
export function bearer(token) {
    return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** One entry of `calls`, from a result as it came over the wire. */
export function callReport(tool, result) {
    const texts = result.content.filter((block) => block.type === "text").map((block) => block.text);
    return {
        tool,
        isError: result.isError ?? false,
        text: texts.join("\n"),
        structured: result.structuredContent ?? null,
    };
}

/** Lists every page and makes the planned calls with a connected client of either SDK generation. */
export async function listAndCall(client, plan) {
    const tools = [];
    let cursor;
    do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools.map((tool) => tool.name));
        cursor = page.nextCursor;
    } while (cursor !== undefined);
    const calls = [];
    for (const entry of plan) {
        const result = await client.callTool({ name: entry.tool, arguments: entry.arguments });
        calls.push(callReport(entry.tool, result));
    }
    return { tools, calls };
}

/** Version of an installed package. */
export function packageVersion(directory, name) {
    return JSON.parse(readFileSync(`${directory}/node_modules/${name}/package.json`, "utf8")).version;
}

/** Runs `converse(options)` under a deadline and prints its report; any failure is exit 1. */
export async function run(peer, version, converse, deadlineMs = DEADLINE_MS) {
    const deadline = setTimeout(() => {
        console.error(`${peer}: no answer within ${deadlineMs} ms`);
        process.exit(1);
    }, deadlineMs);
    try {
        const report = await converse(readArguments());
        process.stdout.write(`${JSON.stringify({ peer, version, ...report })}\n`);
    } catch (error) {
        console.error(error);
        process.exitCode = 1;
    } finally {
        clearTimeout(deadline);
    }
}
