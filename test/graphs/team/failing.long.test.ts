import { describe, expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { uncited } from "../../helpers/uncited.ts";
import { child, type Does, onChildren, SUPERVISOR, startTeam } from "./team-under-test.ts";

const answers =
  (text: string): Does =>
  () =>
    say.text(text);

/** Four ways in which a child goes wrong, and its error; null if it succeeds all the same. */
const KINDS: Readonly<Record<string, { does: Does; code: string | null; iterations: number }>> = {
  failing: { does: () => say.status(403), code: "model_refused", iterations: 0 },
  "timing out": { does: () => say.hang({ after: "nothing" }), code: "timeout", iterations: 0 },
  "an unknown tool": {
    does: (_, results) =>
      results === 0 ? say.toolCalls([{ name: "crystal_ball", arguments: { question: "?" } }]) : say.text("It works without."),
    code: null,
    iterations: 2,
  },
  "endless action": {
    does: (_, results) => say.toolCalls([{ name: "calculator", arguments: { expression: `${results}+1` } }], { text: "Action: 再算一次" }),
    code: "step_cap",
    iterations: 3,
  },
};

const CASES = Object.keys(KINDS).flatMap((kind) => [1, 2].map((stage) => ({ kind, stage, critical: stage === 1 })));

describe("a hybrid team of four with one child that goes wrong", () => {
  it.each(CASES)("by $kind in stage $stage, critical: $critical", async ({ kind, stage, critical }) => {
    const { does, code, iterations } = KINDS[kind] as (typeof KINDS)[string];
    const bad = stage === 1 ? "b" : "d";
    const team = await startTeam({
      a: answers("A has found one."),
      b: answers("B has found two."),
      c: answers("C 找到了三。"),
      d: answers("D has found four."),
      [bad]: does,
      [SUPERVISOR]: answers("What there is."),
    });
    const {
      run,
      children,
      child: of,
      asked,
    } = await team.ask("What is there?", {
      pattern: "hybrid",
      children: ["a", "b", "c", "d"].map((id) =>
        child(id, id === bad ? { critical, maxIterations: 3, ...(kind === "timing out" && { timeoutMs: 400 }) } : {}),
      ),
      stages: [
        { children: ["a", "b"], concurrent: true },
        { children: ["c", "d"], concurrent: stage === 2 },
      ],
    });
    expect(of(bad)).toMatchObject({ success: code === null, iterations, unknownTools: kind === "an unknown tool" ? ["crystal_ball"] : [] });
    expect(of(bad).error?.code ?? null).toBe(code);
    if (kind === "an unknown tool") expect(of(bad).output).toBe("It works without.");
    const fails = critical && code !== null;
    expect([run.status, run.error?.code ?? null]).toEqual(fails ? ["failed", "child_failed"] : ["succeeded", null]);
    if (!fails) {
      expect(run.report?.markdown).toBe(uncited("What there is."));
      expect(run.termination).toEqual({
        reason: "completed",
        node: "supervise",
        detail: code === null ? null : `failed: ${bad} (${code})`,
      });
      const told = contentsOf(asked(SUPERVISOR)[0] as never, "user").join("\n");
      expect(told.includes(`${bad} has failed (${code})`)).toBe(code !== null);
      return;
    }
    expect(run.error?.message).toContain(`The critical child ${bad} failed (${code})`);
    expect(asked(SUPERVISOR)).toEqual([]);
    expect(children.slice(2).map(({ status, success }) => [status, success])).toEqual([
      ["skipped", null],
      ["skipped", null],
    ]);
  });
});

it("stops the children beside a critical child that fails", async () => {
  const done = Promise.withResolvers<void>();
  const onEvent = onChildren(({ quick }) => {
    if (quick === "completed") done.resolve();
  });
  const team = await startTeam(
    {
      slow: () => say.hang({ after: "nothing" }),
      quick: answers("Done at once."),
      bad: () => done.promise.then(() => say.status(403)),
    },
    { parts: { onEvent } },
  );
  const { run, child: of } = await team.ask("快一点", {
    pattern: "concurrent",
    children: [child("slow"), child("quick"), child("bad", { critical: true })],
  });
  expect([run.status, run.error?.code]).toEqual(["failed", "child_failed"]);
  expect(run.error?.message).toContain("quick: Done at once.");
  expect([of("slow").status, of("slow").error?.code, of("slow").error?.message]).toEqual([
    "failed",
    "cancelled",
    expect.stringContaining("the critical child bad failed"),
  ]);
  expect(of("quick").output).toBe("Done at once.");
});

it("fails with the model's error if it refuses every child", async () => {
  const team = await startTeam({ a: () => say.status(401), b: () => say.status(401) });
  const { run } = await team.ask("有什么？", { pattern: "concurrent", children: [child("a"), child("b")] });
  expect([run.status, run.error?.code]).toEqual(["failed", "model_refused"]);
  expect(run.children?.map(({ status }) => status)).toEqual(["failed", "failed"]);
});

it("asks no supervisor if no child has found anything, and names the failed children", async () => {
  const team = await startTeam({ a: () => say.status(403), b: answers("") });
  const { run, asked } = await team.ask("有什么？", { pattern: "sequential", children: [child("a", { tools: ["nothing"] }), child("b")] });
  expect([run.status, run.termination]).toEqual([
    "succeeded",
    { reason: "no_answer", node: "supervise", detail: "failed: a (model_refused), b (no_answer)" },
  ]);
  expect(run.children?.[0]?.unknownTools).toEqual(["nothing"]);
  expect(asked(SUPERVISOR)).toEqual([]);
});
