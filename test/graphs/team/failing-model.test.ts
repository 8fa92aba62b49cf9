import { describe, expect, it } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { child, type Does, SUPERVISOR, startTeam } from "./team-under-test.ts";

const ENGLISH = "What does the lamp of the lighthouse of Aldermoor burn?";
const CHINESE = "奥尔德穆尔灯塔是哪一年建成的？";
const LAMP = "Its lamp burns whale oil";
const YEAR = "奥尔德穆尔灯塔建于1874年";
const WORDS = "this model takes one tool call at a time";
const REFUSED = say.status(403, { error: { message: WORDS } });
const DEAD = say.status(503, undefined, { "retry-after": "3600" });

/** Searches, and then its model always does the same. */
const searches =
  (then: Behavior): Does =>
  (_, results) =>
    results === 0 ? say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor lamp 奥尔德穆尔 灯塔" } }]) : then;

describe("a child whose model refuses its second call", () => {
  const [does, code, words] = [REFUSED, "model_refused", WORDS];

  it("fails with quotes of what it has read as its output, and the others go on", async () => {
    const team = await startTeam({
      reader: searches(does),
      other: () => say.text("It is calm."),
      [SUPERVISOR]: () => say.text("All told."),
    });
    const { run, child: of, asked } = await team.ask(ENGLISH, { pattern: "sequential", children: [child("reader"), child("other")] });
    expect(of("reader")).toMatchObject({ status: "failed", success: false, error: { code, message: expect.stringContaining(words) } });
    expect(of("reader").output).toContain(LAMP);
    expect(of("other")).toMatchObject({ status: "completed", output: "It is calm." });
    const told = [asked("other"), asked(SUPERVISOR)].map(([first]) => contentsOf(first as never, "user").join("\n"));
    for (const text of told) expect(text).toContain(LAMP);
    expect(run).toMatchObject({ status: "succeeded", termination: { reason: "completed", detail: `failed: reader (${code})` } });
    expect(run.report?.ledger.filter(({ what }) => what === "model")).toMatchObject([{ detail: expect.stringContaining(words) }]);
    await expectReplay({ dossier: team.dossier, run });
  });

  it("is quoted in Chinese in the report if it is alone", async () => {
    const team = await startTeam({ 读者: searches(does) });
    const { run, child: of, asked } = await team.ask(CHINESE, { pattern: "sequential", children: [child("读者")] });
    expect(of("读者").output).toContain(YEAR);
    expect(asked(SUPERVISOR)).toEqual([]);
    expect([run.status, run.termination?.detail]).toEqual(["succeeded", `failed: 读者 (${code}); the children's answers are listed`]);
    expect(run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(YEAR);
    expect(run.report?.markdown).toMatch(/^模型 scripted .*；本报告由规则撰写。$/m);
    await expectReplay({ dossier: team.dossier, run });
  });

  it("fails the run if it is critical, and its output stays readable", async () => {
    const team = await startTeam({ other: () => say.text("It is calm."), reader: searches(does) });
    const children = [child("other"), child("reader", { critical: true })];
    const { run, child: of } = await team.ask(ENGLISH, { pattern: "sequential", children });
    expect(run).toMatchObject({ status: "failed", error: { code: "child_failed" } });
    expect(of("reader").output).toContain(LAMP);
    expect(run.error?.message).toContain(words);
    expect(run.error?.message).toMatch(/What the children have found is kept: other: It is calm\. \| reader: /);
    await expectReplay({ dossier: team.dossier, run });
  });
});

it.each([
  ["is refused", REFUSED, "model_refused", "blocked", WORDS],
  ["fails for good", DEAD, "model_unavailable", "unreachable", "503"],
])("a supervisor whose call %s leaves what every child has found, and says why", async (_, does, code, failure, words) => {
  const cited = say.text(`It burns whale oil. [S1: "${LAMP}"]`);
  const team = await startTeam({ writer: searches(cited), reader: searches(REFUSED), [SUPERVISOR]: () => does });
  const { run } = await team.ask(ENGLISH, { pattern: "sequential", children: [child("writer"), child("reader")] });
  expect([run.status, run.termination?.reason]).toEqual(["succeeded", "completed"]);
  const detail = run.termination?.detail ?? "";
  expect(detail.startsWith(`failed: reader (model_refused); ${code}: `)).toBe(true);
  expect(detail).toContain(words);
  expect(run.report?.ledger.findLast(({ what }) => what === "model")).toMatchObject({ failure, detail: expect.stringContaining(words) });
  expect([...new Set(run.report?.claims.map(({ section }) => section))]).toEqual(["writer", "reader"]);
  expect(run.report?.markdown).toMatch(/^The model scripted .*; rules wrote this report\.$/m);
  await expectReplay({ dossier: team.dossier, run });
});
