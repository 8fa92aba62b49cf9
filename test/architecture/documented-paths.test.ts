import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const PATH = /`((?:src|test|docs|scripts|bench)\/[^`\s]*|\.env\.example|\.ci\/run)`/g;

const GUIDES = readdirSync(join(ROOT, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []));

it.each(["README.md", "CONTRIBUTING.md", ...GUIDES])("every path that %s names exists", (file) => {
  const named = [...readFileSync(join(ROOT, file), "utf8").matchAll(PATH)].map(([, path = ""]) => path);
  if (!GUIDES.includes(file)) expect(named.length).toBeGreaterThan(3);
  // "<name>" is a placeholder for the file to add.
  expect(named.map((path) => path.replace(/<.*/, "")).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

const ADDITIONS: Readonly<Record<string, readonly (readonly [name: string, path: string])[]>> = {
  "README.md": [
    ["SOURCES", "src/tools/sources/sources.ts"],
    ["TOOLS", "src/tools/tools.ts"],
    ["toolsOf", "src/compose/graphs.ts"],
    ["ROLES", "src/domain/roles.ts"],
    ["PROBLEMS", "src/http/schemas.ts"],
    ["CORS_HEADERS", "src/http/guards.ts"],
    ["addLifecycle", "src/storage/log-writer.ts"],
    ["FailureCodeSchema", "src/domain/report.ts"],
    ["REPLACEABLE", "src/domain/failures.ts"],
    ["buildApp", "src/http/build-app.ts"],
  ],
  "CONTRIBUTING.md": [
    ["REPORT_STEPS", "src/nodes/executor/llm-decision.ts"],
    ["NextStep", "src/nodes/agent/decide.ts"],
    ["MIN_STEPS", "src/nodes/agent/decide.ts"],
    ["STEPS_OF_A_PLAN", "src/graphs/research/graph.ts"],
    ["minSteps", "src/graphs/team.ts"],
    ["roundsWithin", "src/nodes/research/assess.ts"],
    ["#done", "src/graphs/research/todo-branch.ts"],
    ["TARGETS", "src/writing/call-model.ts"],
    ["INSTEAD", "src/domain/failures.ts"],
  ],
};

it.each(Object.keys(ADDITIONS))("every identifier that %s says to extend is in the file that it names", (page) => {
  const source = (path: string) => readFileSync(join(ROOT, path), "utf8");
  for (const [name, path] of ADDITIONS[page] ?? []) {
    expect(source(page)).toContain(`\`${name}\``);
    expect(source(path)).toContain(name);
  }
});
