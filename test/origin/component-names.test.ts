import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { roleScript } from "../fakes/model-server/role-script.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { ROLES, WALL } from "../fakes/scripted-roles.ts";
import { startService } from "../helpers/start-service.ts";

const TODOS = [{ id: "task-1", description: WALL, priority: 1, status: "pending" }];
const EXECUTED = {
  type: "component",
  component: "executor-response",
  summary: "任务执行总结",
  taskCompleted: true,
  shouldContinue: false,
  nextAction: "complete",
  todos: [{ ...TODOS[0], status: "completed", isCurrent: true, 备注: "见 https://evil.example/x" }],
};

/** The components of models that a reader gets over HTTP, in order. */
async function componentsOf(planned: object, summarized: object) {
  const written = (component: object) => say.text(JSON.stringify(component), { pieceLength: 3 });
  const model = await startModelServer(
    roleScript({
      ...ROLES,
      "planner-response": [written({ type: "component", component: "planner-response", ...planned })],
      "executor-response": () => written(EXECUTED),
      "summary-response": () => written({ type: "component", component: "summary-response", ...summarized }),
    }),
  );
  const service = await startService({
    environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", SOURCES: "corpus" },
  });
  const { id } = (await service.ask({ graph: "research", question: WALL })) as { id: string };
  const stream = await (await fetch(`${service.url}/research/${id}/events`)).text();
  const events = stream.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as RunEvent] : []));
  return (name: string) =>
    events.flatMap((event) =>
      event.type === "component" && event.component === name && event.callId !== undefined
        ? [{ props: event.props as object, partial: event.partial }]
        : [],
    );
}

describe("a component goes out under the names that it came with", () => {
  it("with `summary` for a plan and for a summary, and with all of an executor's todos, while it is written and complete", async () => {
    const of = await componentsOf({ summary: "规划总结", needsMorePlanning: false, todos: TODOS }, { summary: "没有核实过的总结。" });
    const plans = of("planner-response");
    for (const { props } of plans) expect(Object.keys(props)).not.toContain("reasoning");
    expect(plans.filter(({ partial }) => partial).map(({ props }) => props)).toContainEqual(
      expect.objectContaining({ summary: expect.stringMatching(/^规划/) }),
    );
    expect(plans.at(-1)).toMatchObject({
      partial: false,
      props: { summary: "规划总结", needsMorePlanning: false, todos: [{ id: "task-1" }] },
    });
    const executor = of("executor-response").at(-1);
    expect(executor).toMatchObject({ partial: false, props: { summary: "任务执行总结", taskCompleted: true, nextAction: "complete" } });
    expect((executor?.props as Partial<typeof EXECUTED> | undefined)?.todos).toEqual([
      { ...EXECUTED.todos[0], 备注: "见 `https://evil.example/x`（未检索到的地址）" },
    ]);
    for (const { props } of of("summary-response")) expect(Object.keys(props)).not.toContain("answer");
    expect(of("summary-response").at(-1)?.props).toHaveProperty("summary");
  });

  it("with `reasoning` and `answer` where these were written", async () => {
    const of = await componentsOf({ reasoning: "理由", todos: TODOS }, { answer: "没有核实过的总结。" });
    expect(of("planner-response").at(-1)?.props).toMatchObject({ reasoning: "理由" });
    expect(of("summary-response").at(-1)?.props).toHaveProperty("answer");
    for (const { props } of [...of("planner-response"), ...of("summary-response")]) expect(Object.keys(props)).not.toContain("summary");
  });
});
