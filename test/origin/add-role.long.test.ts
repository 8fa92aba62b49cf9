import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const COPIED = ["src", "prompts", "docs", "test", "web", "scripts", "package.json", "tsconfig.json", "vitest.config.ts", ".env.example"];
const run = promisify(execFile);

/** Returns the code blocks of the recipe in docs/prompts.md. */
async function recipe(): Promise<readonly string[]> {
  const text = await readFile("docs/prompts.md", "utf8");
  const steps = text.slice(text.indexOf("## How do I add a role?"));
  return [...steps.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(file, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
}

/** Does what the recipe says, in a copy of the tree. */
async function withReviewer(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "dossier-role-"));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  const isOwn = (path: string): boolean => !path.includes("node_modules");
  for (const name of COPIED) await cp(name, join(copy, name), { recursive: true, filter: isOwn });
  await symlink(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
  const [entry = "", template = "", schema = "", row = ""] = await recipe();
  await edit(join(copy, "src/domain/roles.ts"), (text) =>
    text.replace("} as const satisfies Roles", () => `${entry}} as const satisfies Roles`),
  );
  await writeFile(join(copy, "prompts/reviewer.md"), template);
  await edit(join(copy, "src/analyst/research-roles.ts"), (text) => {
    const [first = "", ...own] = schema.split("\n");
    return text
      .replace('import type { z } from "zod";', () => first)
      .replace("export const JUDGES: readonly JudgingRole[] = [VERIFIER];", () => own.join("\n"));
  });
  await edit(join(copy, "docs/prompts.md"), (text) => text.replace("\n\n| placeholder |", () => `\n${row}\n| placeholder |`));
  return copy;
}

it("the recipe for a new role, followed to the letter, leaves the types and the tests of the roles green", async () => {
  const copy = await withReviewer();
  const npx = (...command: readonly string[]) => run("npx", [...command], { cwd: copy, maxBuffer: 50_000_000 });
  await npx("tsc", "--noEmit");
  const kinds = ["test/models", "test/replays", "test/graphs/research/b", "test/graphs/research/nothing", "test/analyst/research"];
  const { stdout } = await npx("vitest", "run", "--project", "short", "--maxWorkers=2", ...kinds);
  expect(stdout).toMatch(/Test Files .*passed/);
});
