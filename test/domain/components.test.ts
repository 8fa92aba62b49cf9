import { expect, it } from "vitest";
import { ExecutorResponseSchema, type FlowFields, resolveNextAction } from "../../src/domain/components.ts";
import { readQueries } from "../../src/domain/queries.ts";

const CASES: readonly [FlowFields, string][] = [
  [{ nextAction: "complete" }, "complete"],
  [{ nextAction: "retry", taskCompleted: true, shouldContinue: false, status: "completed" }, "retry"],
  [{ nextAction: "skip", taskCompleted: true }, "complete"],
  [{ nextAction: "skip", taskCompleted: false, status: "completed" }, "skip"],
  [{ nextAction: "continue", status: "failed" }, "continue"],
  [{ taskCompleted: true }, "complete"],
  [{ taskCompleted: true, shouldContinue: true, status: "failed" }, "complete"],
  [{ taskCompleted: false }, "continue"],
  [{ taskCompleted: false, status: "completed" }, "continue"],
  [{ taskCompleted: false, status: "failed" }, "retry"],
  [{ taskCompleted: false, status: "skipped" }, "skip"],
  [{ taskCompleted: false, shouldContinue: true }, "continue"],
  [{ taskCompleted: false, shouldContinue: true, status: "failed" }, "retry"],
  [{ taskCompleted: false, shouldContinue: false }, "skip"],
  [{ taskCompleted: false, shouldContinue: false, status: "completed" }, "skip"],
  [{ shouldContinue: true }, "continue"],
  [{ shouldContinue: true, status: "failed" }, "retry"],
  [{ shouldContinue: true, status: "completed" }, "continue"],
  [{ shouldContinue: false }, "complete"],
  [{ shouldContinue: false, status: "completed" }, "complete"],
  [{ shouldContinue: false, status: "failed" }, "skip"],
  [{ shouldContinue: false, status: "pending" }, "skip"],
  [{ status: "completed" }, "complete"],
  [{ status: "failed" }, "retry"],
  [{ status: "skipped" }, "skip"],
  [{ status: "pending" }, "continue"],
  [{ status: "executing" }, "continue"],
  [{}, "continue"],
];

it.each(CASES)("after %j comes %s", (said, nextAction) => {
  expect(resolveNextAction(said)).toEqual({
    nextAction,
    taskCompleted: nextAction === "complete",
    shouldContinue: nextAction === "continue" || nextAction === "retry",
  });
});

it.each(["solid-state battery", "固态电池 量产"])(
  "the next query %j may also be named query, and does not cost the assessment",
  (words) => {
    const read = (nextQuery: unknown) => {
      const props = { taskCompleted: false, summary: "half", nextQuery };
      const { summary, nextQuery: next } = ExecutorResponseSchema.parse({ type: "component", component: "executor-response", props }).props;
      return [summary, readQueries({ queries: next }).map(({ text, kinds }) => [text, kinds])];
    };
    expect(read({ query: words, kinds: ["web"] })).toEqual(["half", [[words, ["web"]]]]);
    expect(read({ text: words, kinds: ["web"] })).toEqual(["half", [[words, ["web"]]]]);
    expect(read({ kinds: ["web"] })).toEqual(["half", []]);
  },
);
