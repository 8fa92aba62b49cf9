import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { uncited } from "../../helpers/uncited.ts";
import { calculates, child, type Does, onChildren, SUPERVISOR, startTeam } from "./team-under-test.ts";

const endless: Does = (_, results) => say.toolCalls([{ name: "calculator", arguments: { expression: `${results}+7` } }]);

it("gives each child its share of the calls, and what one leaves unused to those after it; the supervisor's call is reserved", async () => {
  const team = await startTeam({ 甲: endless, b: () => say.text("B is done."), c: endless, [SUPERVISOR]: () => say.text("只有 B。") });
  const children = [child("甲"), child("b"), child("c")];
  const { run, child: of } = await team.ask("多少？", { pattern: "sequential", children }, { limits: { modelCalls: 10 } });
  expect([of("甲"), of("b"), of("c")].map(({ iterations, error }) => [iterations, error?.code ?? null])).toEqual([
    [3, "model_call_cap"],
    [1, null],
    [5, "model_call_cap"],
  ]);
  expect([run.status, run.usage.modelCalls, run.report?.markdown]).toEqual(["succeeded", 10, uncited("只有 B。")]);
});

it("lists the results if no call is left for the supervisor's answer", async () => {
  const clock = jumpingClock();
  const onEvent = onChildren(({ a, b }) => {
    if (a === "completed" && b === "completed") clock.jump(599_000);
  });
  const team = await startTeam(
    { a: () => say.text("A is done."), b: () => say.text("乙完成。"), [SUPERVISOR]: () => say.hang({ after: "nothing" }) },
    { parts: { clock: clock.now, onEvent } },
  );
  const children = [child("a"), child("b")];
  const { run } = await team.ask("多少？", { pattern: "concurrent", children }, { limits: { seconds: 600 } });
  expect(run.status).toBe("succeeded");
  expect(run.termination?.detail).toMatch(/^timeout: .*; the children's answers are listed$/);
  expect(run.report?.markdown).toBe(uncited("## a\n\nA is done.\n\n## b\n\n乙完成。", 2));
});

it("lets a child have its own model, and reports the child's iterations and time if that model refuses in the middle", async () => {
  const clock = jumpingClock();
  const team = await startTeam(
    {
      a(_, results) {
        clock.jump(200);
        return results === 0 ? say.toolCalls([{ name: "calculator", arguments: { expression: "1+1" } }]) : say.status(403);
      },
      b: calculates("2+2", "It is four."),
      [SUPERVISOR]: () => say.text("Four."),
    },
    { parts: { clock: clock.now } },
  );
  const children = [child("a", { model: "small" }), child("b")];
  const { asked, child: of } = await team.ask("多少？", { pattern: "concurrent", children }, { models: { supervisor: "large" } });
  expect([of("a").error?.code, of("a").iterations]).toEqual(["model_refused", 1]);
  expect(of("a").executionTimeMs).toBe(400);
  expect(["a", "b", SUPERVISOR].map((id) => asked(id)[0]?.body.model)).toEqual(["small", "scripted", "large"]);
});

it("sends the results to the supervisor as far as they fit into the model's context", async () => {
  const long = Array.from({ length: 900 }, (_, at) => `第${at}个很长的结果，一句又一句。`).join("");
  const does = Object.fromEntries(["a", "b", "c"].map((id): [string, Does] => [id, () => say.text(long)]));
  const environment = { MODEL_CONTEXT_TOKENS: "6000", MODEL_MAX_OUTPUT_TOKENS: "500" };
  const team = await startTeam({ ...does, [SUPERVISOR]: () => say.text("总之很长。") }, { environment });
  const { run, asked } = await team.ask("多长？", { pattern: "concurrent", children: ["a", "b", "c"].map((id) => child(id)) });
  expect(run.report?.markdown).toBe(uncited("总之很长。"));
  const told = contentsOf(asked(SUPERVISOR)[0] as never, "user").join("");
  expect(told.length).toBeLessThan(5_000);
  expect(told.match(/[abc] has finished/g)).toHaveLength(3);
});
