import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { makeHome } from "../helpers/open-dossier.ts";
import { startWithModel } from "./run-over-http.ts";

const team = (more: object) => ({ pattern: "sequential", children: [{ id: "数", prompt: "数数。", ...more }] });
const script = (request: SeenRequest, index: number) =>
  offeredTools(request).length > 0 ? say.toolCalls([{ name: "calculator", arguments: { expression: `${index}+1` } }]) : say.text("总结。");
const ask = { graph: "team", question: "一直数下去" };

it("a request may give both names with equal values", async () => {
  const { ask: post } = await startWithModel(script);
  const { run } = await post({ ...ask, team: team({ max_iterations: 2, maxIterations: 2, timeout: 30, timeoutMs: 30_000 }) });
  expect(run.children?.map(({ iterations, error }) => [iterations, error?.code])).toEqual([[2, "step_cap"]]);
});

it("`timeout` counts seconds", async () => {
  const { ask: post } = await startWithModel(() => say.hang());
  const { run } = await post({ ...ask, team: team({ timeout: 0.2 }) });
  expect(run.children?.map(({ error }) => error)).toEqual([{ code: "timeout", message: "数 used up its 200 ms." }]);
});

const REFUSED = [
  [{ timeout: 30, timeoutMs: 10_000 }, "/team/children/0/timeout", "differs from timeoutMs; give one of them"],
  [{ max_iterations: 3, maxIterations: 10 }, "/team/children/0/max_iterations", "differs from maxIterations; give one of them"],
  [{ timeout: 0 }, "/team/children/0/timeout", "must be at least 0.001"],
  [{ max_iterations: 101 }, "/team/children/0/max_iterations", "must be at most 100"],
] as const;

it("two names that differ, and numbers out of bounds, are refused", async () => {
  const { url } = await startWithModel([]);
  for (const [more, path, message] of REFUSED) {
    const body = JSON.stringify({ ...ask, team: team(more) });
    const response = await fetch(`${url}/research`, { method: "POST", headers: { "content-type": "application/json" }, body });
    const problem = (await response.json()) as { errors: object[] };
    expect([response.status, problem.errors]).toEqual([400, [expect.objectContaining({ path, message })]]);
  }
});

it("a file of teams may have these names too", async () => {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const file = join(home, "teams.json");
  await writeFile(file, JSON.stringify({ default: team({ timeout: 20, max_iterations: 1 }) }));
  const { ask: post } = await startWithModel(script, { environment: { TEAMS: file } });
  const { run } = await post(ask);
  expect(run.children?.map(({ iterations, error }) => [iterations, error?.code])).toEqual([[1, "step_cap"]]);
});
