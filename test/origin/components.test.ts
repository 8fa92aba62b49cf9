import { describe, expect, it } from "vitest";
import { isChecked } from "../../src/domain/report.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { lastSaid } from "../fakes/scripted-roles.ts";
import { expectReplay, researchByModel } from "../graphs/research/roles-under-test.ts";

const QUESTION = "Who built the lighthouse of Aldermoor, and what is its harbour wall made of? 请简短。";
const TODOS = [
  { id: "T1", description: "Who built the lighthouse of Aldermoor?", status: "pending" },
  { id: "T2", description: "What is the harbour wall of Aldermoor made of?", status: "pending" },
];

/** A component as the documentation writes it, one character per piece. */
function spoken(component: string, props: object, form: "flat" | "props"): Behavior {
  const json = form === "flat" ? { type: "component", component, ...props } : { type: "component", component, props };
  return say.text(JSON.stringify(json), { pieceLength: 1 });
}

/** The same in larger pieces, with the stream written byte by byte. */
const inBytes = (said: Behavior): Behavior => ({ ...said, pieceLength: 200, cutBytes: 1 }) as Behavior;

/** Returns the todos of an executor's response, with the requested one as the current one. */
function executed(said: string, status: string) {
  const current = said.lastIndexOf("Who built") > said.lastIndexOf("harbour wall of") ? "T1" : "T2";
  return TODOS.map((todo) => ({ ...todo, status: todo.id === current ? status : "failed", isCurrent: todo.id === current }));
}

describe.each(["flat", "props"] as const)("components as the documentation writes them, %s, in pieces cut at every byte", (form) => {
  it("plan, execute and sum up a question", async () => {
    const asked = await researchByModel(
      {
        "planner-response": [inBytes(spoken("planner-response", { summary: "Two facts. 两件事。", todos: TODOS }, form))],
        "executor-response": ({ request }) =>
          inBytes(spoken("executor-response", { summary: "It was found.", todos: executed(lastSaid(request), "completed") }, form)),
        "summary-response": ({ request }) => {
          const id = /\bP\d+\b(?=[\s\S]{0,300}granite from Tolmere)/.exec(lastSaid(request))?.[0] ?? "P1";
          const quote = "which is made of granite from Tolmere.";
          return inBytes(spoken("summary-response", { summary: `The wall is made of granite. [${id}: "${quote}"]` }, form));
        },
      },
      { question: QUESTION },
    );
    const { run, of, model } = asked;
    expect([run.error, model.refused, model.unexpected]).toEqual([null, [], []]);
    expect(run.todos?.map(({ id, status }) => [id, status])).toEqual([
      ["T1", "completed"],
      ["T2", "completed"],
    ]);
    expect(run.report?.claims.map((claim) => [claim.text, isChecked(claim)])).toEqual([["The wall is made of granite.", true]]);
    expect(run.report?.ledger.filter(({ failure }) => failure !== null)).toEqual([]);
    const byModel = of("component").filter(({ callId }) => callId !== undefined);
    const shown = Map.groupBy(byModel, ({ component, path, callId }) => `${component} ${path} ${callId}`);
    // The planner, two executors, the verifier and the summary.
    expect(shown.size).toBe(5);
    for (const said of shown.values()) expect(said.filter(({ partial }) => !partial)).toHaveLength(1);
    await expectReplay(asked);
  });
});

it.each([
  ["its own word, whatever the todos say", { taskCompleted: true, shouldContinue: false, nextAction: "complete" }, "failed", "completed"],
  ["its own word that it failed", { taskCompleted: false, shouldContinue: true, nextAction: "retry" }, "completed", "failed"],
  ["the status of the current todo, where it says nothing else", {}, "completed", "completed"],
])("a component of the executor ends a todo by %s", async (_, own, status, expected) => {
  const { run } = await researchByModel(
    {
      "planner-response": [spoken("planner-response", { summary: "", todos: TODOS.slice(1) }, "flat")],
      "executor-response": () =>
        spoken(
          "executor-response",
          {
            ...own,
            summary: "As far as it goes.",
            todos: [
              { id: "T9", description: "Another", status: status === "completed" ? "failed" : "completed" },
              { ...TODOS[1], status, isCurrent: true },
            ],
          },
          "flat",
        ),
    },
    { question: QUESTION },
  );
  expect(run.todos?.map((todo) => todo.status)).toEqual([expected]);
});
