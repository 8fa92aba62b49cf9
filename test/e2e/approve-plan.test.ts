import { rm } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { runCli } from "../helpers/run-cli.ts";

it.each([
  ["Who built the lighthouse of Aldermoor?", "-9\n-1\ny\n"],
  ["奥尔德穆尔的灯塔是谁建造的？", "－０\n\n-1\n好\n"],
])("asks again after a typing error and names the errors of a plan, without rejecting the plan: %s", async (question, lines) => {
  const home = await makeHome(CORPUS);
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { DATA_DIR: `${home}/data`, CORPUS_DIR: `${home}/corpus`, SOURCES: "corpus" };
  const { code, stderr: said } = await runCli(["ask", question, "--graph", "research", "--approve-plan"], env, lines);
  expect(code).toBe(0);
  expect(said).toContain("Nothing was decided: the plan has todos 1 to 1, and this line names others.");
  expect(said).toContain("  /plan/todos must have at least one todo; reject the plan if nothing should be executed");
  expect(said.split("waits for an answer")).toHaveLength(2);
  expect(said).toContain("todo T1 executing");
});
