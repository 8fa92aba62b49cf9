import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { odd } from "../../helpers/mcp-servers.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
import { watch } from "../agent/agent-under-test.ts";
import { expectReplay, openWithServers } from "./mcp-under-test.ts";

const note = (line: string) => ({ name: "notes__note", arguments: { line } });
const READ = { name: "notes__environment", arguments: {} };
const servers =
  (more: Readonly<Record<string, unknown>> = {}) =>
  (dir: string) => ({ notes: odd("plain", join(dir, "notes"), more) });

function written(dir: string): string {
  try {
    return readFileSync(join(dir, "notes"), "utf8");
  } catch {
    return "";
  }
}

it("asks the agent's user about each changing call, one by one, and makes the confirmed calls", async () => {
  const { ask, dossier, dir, model } = await openWithServers(
    [say.toolCalls([note("一"), READ, note("二"), note("三")]), say.text("记好了。")],
    servers(),
  );
  const { run } = await ask("agent", "请记下三行。");
  expect(run).toMatchObject({
    status: "waiting",
    pending: [
      {
        kind: "confirmation",
        prompt: "工具 notes__note 可能会修改数据。是否同意用这些参数调用它？",
        plan: null,
        call: { tool: "notes__note", arguments: { line: "一" } },
      },
    ],
  });
  expect(run.pending).toHaveLength(1);
  expect(written(dir)).toBe("");
  await dossier.runs.answer(TENANT, run.id, { approve: true });
  const second = await watch(dossier, run.id);
  expect(second.run.pending).toMatchObject([{ kind: "confirmation", call: { arguments: { line: "二" } } }]);
  expect(written(dir)).toBe("");
  await dossier.runs.answer(TENANT, run.id, { approve: false, reason: "不要第二行" });
  await dossier.finish(run.id);
  await dossier.runs.answer(TENANT, run.id, { approve: true });
  const { run: last, of } = await watch(dossier, run.id);
  expect(last).toMatchObject({ status: "succeeded", termination: { reason: "answered" }, usage: { modelCalls: 2 } });
  expect(written(dir)).toBe("一\n三\n");
  expect(
    of("tool-ended")
      .map(({ ok, error }) => (ok ? "ok" : error?.code))
      .toSorted(),
  ).toEqual(["not_confirmed", "ok", "ok", "ok"]);
  const told = contentsOf(model.requests[1] as SeenRequest, "tool");
  expect(told).toHaveLength(4);
  expect(told[2]).toContain("\nnotes__note was not called: the user did not agree to it. The user says: 不要第二行");
  expect(model.refused).toEqual([]);
  await expectReplay(dossier, run.id);
});

it("asks before the calls of an executor's round, and reports a refusal to the analyst", async () => {
  const { ask, dossier, dir, model } = await openWithServers((request) => {
    if (offeredTools(request).length === 0) return say.text("The lighthouse stands.");
    return contentsOf(request, "user").join("\n").includes("notes__note {") ? say.text("Enough.") : say.toolCalls([note("x"), READ]);
  }, servers());
  const { run } = await ask("executor", "Who built the lighthouse of Aldermoor?", { limits: { steps: 11 } });
  expect(run).toMatchObject({
    status: "waiting",
    pending: [{ kind: "confirmation", prompt: "The tool notes__note may change something. May it be called with these arguments?" }],
  });
  await dossier.runs.answer(TENANT, run.id, { approve: false, reason: "Leave it." });
  const { run: last, of } = await watch(dossier, run.id);
  expect(last.status).toBe("succeeded");
  expect(of("node-started").map(({ node }) => node)).toContain("confirm");
  expect(
    of("tool-ended")
      .map(({ tool, error }) => [tool, error?.code ?? "ok"])
      .toSorted(),
  ).toEqual([
    ["notes__environment", "ok"],
    ["notes__note", "not_confirmed"],
  ]);
  expect(written(dir)).toBe("");
  expect(last.report?.ledger).toContainEqual(expect.objectContaining({ source: "notes__note", failure: "not_confirmed" }));
  expect(model.requests.map((request) => contentsOf(request, "user").join("\n")).some((text) => text.includes("Leave it."))).toBe(true);
  await expectReplay(dossier, run.id);
});

it("waits across a restart, and makes a confirmed call once", async () => {
  const opened = await openWithServers([say.toolCalls([note("once")]), say.text("Done.")], servers());
  const { run } = await opened.ask("agent", "Note it.");
  expect(run.status).toBe("waiting");
  await opened.dossier.close(0);
  const { MCP_SERVERS, SOURCES, ...rest } = opened.environment;
  const next = await openDossier({ dir: opened.dossier.dir, parts: { tools: [] }, environment: { MCP_SERVERS, SOURCES, ...rest } });
  await next.recover();
  await next.runs.answer(TENANT, run.id, { approve: true });
  expect((await next.finish(run.id)).status).toBe("succeeded");
  expect(written(opened.dir)).toBe("once\n");
  await expectReplay(next, run.id);
});

it("asks nobody if the operator allows changes, or about calls that are not made anyway", async () => {
  const allowed = await openWithServers([say.toolCalls([note("一")]), say.text("已经记好了。")], servers({ allowMutations: true }));
  const { run } = await allowed.ask("agent", "记下。");
  expect([run.status, written(allowed.dir)]).toEqual(["succeeded", "一\n"]);
  const wrong = await openWithServers(
    [say.toolCalls([{ name: "notes__note", arguments: { line: 7 } }]), say.text("已经记好了。")],
    servers(),
  );
  const refused = await wrong.ask("agent", "记下。");
  expect(refused.run.status).toBe("succeeded");
  expect(refused.of("tool-ended")).toMatchObject([{ ok: false, error: { code: "invalid_arguments" } }]);
});

it("keeps to the step limit of a run that asks its user", async () => {
  const { ask, dossier } = await openWithServers(
    (request) => (offeredTools(request).length > 0 ? say.toolCalls([note("again")]) : say.text("That is all.")),
    servers(),
  );
  for (const steps of [3, 5]) {
    const { run } = await ask("agent", "Note it.", { limits: { steps } });
    for (let seen = run; seen.status === "waiting"; seen = await dossier.finish(run.id))
      await dossier.runs.answer(TENANT, run.id, { approve: true });
    expect([steps, (await dossier.finish(run.id)).termination?.reason]).toEqual([steps, "step_cap"]);
  }
});
