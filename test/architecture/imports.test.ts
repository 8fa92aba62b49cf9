import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { biomeOverrides } from "./biome-overrides.ts";
import { moduleFacts } from "./module-facts.ts";
import { cyclesAmong, faultsOf, runtimePackages } from "./rules.ts";
import { readTree } from "./source-tree.ts";

const ROOT = join(import.meta.dirname, "../..");
const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
const faults = (path: string, code: string) => faultsOf(moduleFacts(path, code));

describe("the source tree", () => {
  const modules = readTree(ROOT, "src");

  it("follows the import table", () => {
    expect(modules.length).toBeGreaterThan(10);
    expect(modules.flatMap(faultsOf)).toEqual([]);
  });

  it("has no import cycle, not even of types", () => {
    expect(cyclesAmong(modules)).toEqual([]);
  });

  it("loads at run time only what package.json lists under dependencies", () => {
    expect(Object.keys(readJson("package.json").dependencies)).toEqual(expect.arrayContaining(runtimePackages(modules)));
  });

  it("is described the same by the table and by the overrides of biome.json", () => {
    const overrides: { linter: { rules: { style?: object } } }[] = readJson("biome.json").overrides;
    expect(overrides.filter(({ linter }) => "noRestrictedImports" in (linter.rules.style ?? {}))).toEqual(biomeOverrides());
  });
});

describe("Biome", () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-imports-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("reports in the editor what the overrides forbid, and nothing else", () => {
    const refused = {
      "src/http/routes/research.ts": "../../nodes/executor/search.ts",
      "src/tools/arxiv.ts": "../documents/fetch.ts",
      "src/analyst/model.ts": "@langchain/langgraph",
      "src/nodes/executor/rerank.ts": "../../graphs/executor.ts",
      "src/runs/service.ts": "../config.ts",
    };
    const accepted = {
      "src/graphs/executor.ts": "../nodes/executor/state.ts",
      "src/http/build-app.ts": "./routes/tools.ts",
      "src/compose.ts": "./nodes/executor/search.ts",
    };
    for (const [path, specifier] of Object.entries({ ...refused, ...accepted })) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), `export * from "${specifier}";`);
    }
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ overrides: readJson("biome.json").overrides }));
    const options = { cwd: folder, encoding: "utf8" } as const;
    const { stderr } = spawnSync("biome", ["lint", "--only=style/noRestrictedImports", "."], options);
    const found = [...stderr.matchAll(/^(\S+):\d+:\d+ lint\/style\/noRestrictedImports/gm)].map(([, path]) => path);
    expect(found.sort()).toEqual(Object.keys(refused).sort());
  });
});

describe("the import checker refuses", () => {
  it.each([
    ["src/errors.ts", 'import { z } from "zod";', "imports zod: errors may not"],
    ["src/errors.ts", 'import type { Run } from "./domain/run.ts";', "errors may not import domain"],
    ["src/domain/run.ts", 'import { readFile } from "node:fs/promises";', "imports node:fs: domain may not"],
    ["src/domain/ports/tool.ts", 'import { score } from "../../ranking/score.ts";', "domain may not import ranking"],
    ["src/ranking/score.ts", 'import { AppError } from "../errors.ts";', "ranking may not import errors"],
    ["src/tools/arxiv.ts", 'import { fetchGuarded } from "../documents/fetch.ts";', "tools may not import documents"],
    ["src/storage/runs.ts", 'export * from "../journal/journal.ts";', "storage may not import journal"],
    ["src/analyst/model.ts", 'import { Command } from "@langchain/langgraph";', "imports @langchain/langgraph: analyst may not"],
    ["src/nodes/executor/rerank.ts", 'import { graph } from "../../graphs/executor.ts";', "nodes may not import graphs"],
    ["src/nodes/executor/rerank.ts", 'import type { State } from "../../graphs/executor.ts";', "nodes may not import graphs"],
    ["src/util/abort.ts", 'import { DossierError } from "../errors.ts";', "util may not import errors"],
    ["src/nodes/executor/download.ts", 'import { randomUUID } from "node:crypto";', "imports node:crypto: nodes may not"],
    ["src/graphs/executor.ts", 'import { open } from "../storage/open.ts";', "graphs may not import storage"],
    ["src/runs/execute.ts", 'import { graphs } from "../graphs/registry.ts";', "runs may import only its types"],
    ["src/runs/execute.ts", 'import type { G } from "../graphs/executor.ts";', "runs may not import graphs"],
    ["src/runs/execute.ts", 'import fastify from "fastify";', "imports fastify: runs may not"],
    ["src/documents/a.ts", 'import fastify from "fastify";', "imports fastify: documents may not"],
    ["src/http/routes/research.ts", 'import type { RunService } from "../../runs/service.ts";', "http may not import runs"],
    ["src/http/routes/research.ts", 'type S = import("../../storage/schema.ts").Schema;', "http may not import storage"],
    ["src/http/build-app.ts", 'const { node } = await import("../nodes/executor/search.ts");', "http may not import nodes"],
    ["src/http/build-app.ts", 'import { config } from "../config.ts";', "http may not import config"],
    ["src/runs/service.ts", 'import { compose } from "../compose.ts";', "runs may not import compose"],
    ["src/compose.ts", 'import { main } from "./server.ts";', "compose may not import server"],
    ["src/tools/custom.ts", "await import(name);", "imports a computed path"],
    ["src/tools/custom.ts", 'import { fake } from "../../test/fakes/server.ts";', "lies outside src"],
    ["src/helpers/text.ts", "export const a = 1;", '"helpers" has no row in the import table'],
    ["src/http/a.ts", "export default 1;", "has a default export"],
    ["src/http/a.ts", "const a = 1; export { a as default };", "has a default export"],
    ["src/http/a.ts", "export const a = process.env.HOME;", "reads the environment"],
    ["src/http/a.ts", 'export const a = process["env"];', "reads the environment"],
    ["src/http/a.ts", "const { env } = process;", "reads the environment"],
    ["src/http/a.ts", 'import { env } from "node:process";', "reads the environment"],
  ])("%s: %s", (path, code, message) => {
    expect(faults(path, code)).toEqual([expect.stringContaining(message)]);
  });

  it("a cycle of three files, and names the path", () => {
    const ring = [moduleFacts("src/a.ts", 'import "./b.ts";'), moduleFacts("src/b.ts", 'import "./c.ts";')];
    const closing = moduleFacts("src/c.ts", 'import type { A } from "./a.ts";');
    expect(cyclesAmong(ring)).toEqual([]);
    expect(cyclesAmong([...ring, closing])).toContain("src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts");
  });
});

describe("the import checker allows", () => {
  it.each([
    ["src/graphs/executor.ts", 'import { State } from "../nodes/executor/state.ts";'],
    ["src/ranking/score.ts", 'import { unlessAborted } from "../util/abort.ts";'],
    ["src/runs/execute.ts", 'import type { Registry } from "../graphs/registry.ts";'],
    ["src/http/routes/research.ts", 'import { handler } from "../error-handler.ts";'],
    ["src/storage/saver.ts", 'import { MemorySaver } from "@langchain/langgraph-checkpoint";'],
    ["src/config.ts", "export const host = process.env.HOST;"],
    ["src/server.ts", 'import { compose } from "./compose.ts";\nimport { readConfig } from "./config.ts";'],
  ])("%s: %s", (path, code) => {
    expect(faults(path, code)).toEqual([]);
  });

  it("a type of a package that is not installed in production, but none of its values", () => {
    const types = moduleFacts("src/documents/a.ts", 'import type { Root } from "mdast";\nimport { z } from "zod/v4";');
    expect(runtimePackages([types])).toEqual(["zod"]);
  });
});
