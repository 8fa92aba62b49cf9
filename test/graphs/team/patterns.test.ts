import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools } from "../../fakes/model-server/seen-request.ts";
import { meeting } from "../../helpers/meeting.ts";
import { uncited } from "../../helpers/uncited.ts";
import { calculates, child, SUPERVISOR, startTeam } from "./team-under-test.ts";

it("runs the three steps of a task one after another, each child with the earlier results, and answers in text", async () => {
  const team = await startTeam({
    extract: () => say.text("The prices are 12, 30 and 8."),
    calculate: calculates("12+30+8", "The sum is 50."),
    explain: () => say.text("十二加三十加八等于五十。"),
    [SUPERVISOR]: () => say.text("Together the three cost 50."),
  });
  const { run, asked } = await team.ask("A pen costs 12, a book 30, a cup 8. What do they cost together?", {
    pattern: "sequential",
    children: [child("extract", { tools: [] }), child("calculate", { tools: ["calculator"] }), child("explain")],
  });
  expect([run.status, run.error, run.termination]).toEqual(["succeeded", null, { reason: "completed", node: "supervise", detail: null }]);
  expect(run.report?.markdown).toBe(uncited("Together the three cost 50."));
  expect(run.report?.citations).toEqual([]);
  expect(
    run.children?.map(({ id, stage, status, success, output, error, iterations, path }) => [
      id,
      stage,
      status,
      success,
      output,
      error,
      iterations,
      path,
    ]),
  ).toEqual([
    ["extract", 1, "completed", true, "The prices are 12, 30 and 8.", null, 1, "child:extract"],
    ["calculate", 2, "completed", true, "The sum is 50.", null, 2, "child:calculate"],
    ["explain", 3, "completed", true, "十二加三十加八等于五十。", null, 1, "child:explain"],
  ]);
  expect(asked("extract").map(offeredTools)).toEqual([["finish_task"]]);
  expect(asked("calculate").map(offeredTools)).toEqual([
    ["calculator", "finish_task"],
    ["calculator", "finish_task"],
  ]);
  const told = (id: string) => contentsOf(asked(id)[0] as never, "user").join("\n");
  expect(told("extract")).toBe("A pen costs 12, a book 30, a cup 8. What do they cost together?");
  expect(told("calculate")).toContain("12, 30 and 8");
  expect(told("calculate")).not.toContain("The sum");
  expect(told("explain")).toContain("The sum is 50.");
  expect(told(SUPERVISOR)).toContain("等于五十");
});

it("lets concurrent children work at the same time without seeing each other's results", async () => {
  const meet = meeting(3);
  // No child is answered before all three have asked.
  const waits = (text: string) => () => meet().then(() => say.text(text));
  const team = await startTeam({
    甲: waits("甲说一。"),
    b: waits("B says two."),
    c: waits("C says three."),
    [SUPERVISOR]: () => say.text("一、二、三。"),
  });
  const { run, asked, events } = await team.ask("数一数", {
    pattern: "concurrent",
    children: [child("甲"), child("b"), child("c")],
  });
  expect(run.report?.markdown).toBe(uncited("一、二、三。"));
  for (const id of ["甲", "b", "c"]) expect(contentsOf(asked(id)[0] as never, "user")).toEqual(["数一数"]);
  expect([...new Set(events.map(({ path }) => path))].sort()).toEqual(["", "child:b", "child:c", "child:甲"]);
});

it("runs the stages of a hybrid team in order, each with the results of the earlier stages", async () => {
  const team = await startTeam({
    a: () => say.text("A found one."),
    b: () => say.text("B found two."),
    c: () => say.text("C found three."),
    d: () => say.text("D found four."),
    [SUPERVISOR]: () => say.text("Ten in all."),
  });
  const { run, asked, children } = await team.ask("How many?", {
    pattern: "hybrid",
    children: ["a", "b", "c", "d"].map((id) => child(id)),
    stages: [
      { children: ["b", "a"], concurrent: true },
      { children: ["c", "d"], concurrent: false },
    ],
  });
  expect(run.status).toBe("succeeded");
  expect(children.map(({ id, stage }) => [id, stage])).toEqual([
    ["a", 1],
    ["b", 1],
    ["c", 2],
    ["d", 2],
  ]);
  const seen = (id: string) =>
    contentsOf(asked(id)[0] as never, "user")
      .join("\n")
      .match(/[A-D] found \w+/g) ?? [];
  expect(seen("a")).toEqual([]);
  expect(seen("b")).toEqual([]);
  expect(seen("c")).toEqual(["A found one", "B found two"]);
  expect(seen("d")).toEqual(["A found one", "B found two", "C found three"]);
  expect(seen(SUPERVISOR)).toHaveLength(4);
});

it("sends children and supervisor the request's context, and the earlier questions and answers of the thread", async () => {
  const team = await startTeam({ 甲: () => say.text("1874年。"), [SUPERVISOR]: () => say.text("它建于1874年。") });
  const more = { threadId: "lighthouse", systemContext: "Speak like a lighthouse keeper." };
  const members = { pattern: "sequential", children: [child("甲")] };
  await team.ask("灯塔哪年建的？", members, more);
  const { asked } = await team.ask("谁建的？", members, more);
  for (const id of ["甲", SUPERVISOR]) {
    const [, second] = asked(id);
    const messages = second?.body.messages.map(({ role, content }) => [role, content]) ?? [];
    expect(messages.slice(1, 3)).toEqual([
      ["user", "灯塔哪年建的？"],
      ["assistant", "它建于1874年。"],
    ]);
    expect(messages[0]?.[1]).toContain("Speak like a lighthouse keeper.");
  }
});
