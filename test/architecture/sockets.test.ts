import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readTree } from "./source-tree.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Modules that open connections; `node:net` and `node:http` can also listen. */
const CLIENTS = /^(?:undici|node:(?:https?|http2|net|tls|dgram|dns)(?:\/.*)?)$/;
const GLOBALS = /(?<![.\w])fetch\(|\bglobalThis\.fetch\b|\bnew (?:WebSocket|EventSource)\b/;

/** Uses only STATUS_CODES of node:http. */
const HARMLESS = ["src/http/problems.ts"];

it("only src/network opens sockets, so that the network guard and the scope of a run cover everything", () => {
  const files = readTree(ROOT, "src").filter(({ path }) => !HARMLESS.includes(path));
  const clients = files.filter(({ imports }) => imports.some(({ specifier, typeOnly }) => !typeOnly && CLIENTS.test(specifier ?? "")));
  const callers = files.filter(({ path }) => GLOBALS.test(readFileSync(join(ROOT, path), "utf8")));
  expect(clients.map(({ path }) => path)).toContain("src/network/proxies.ts");
  expect([...clients, ...callers].filter(({ path }) => !path.startsWith("src/network/")).map(({ path }) => path)).toEqual([]);
});
