import { expect, it } from "vitest";
import { readRecording } from "../../src/journal/recording-file.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { askedRole } from "../fakes/model-server/role-script.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { BUILDER, plan, YEAR } from "../fakes/scripted-roles.ts";
import { expectReplay } from "../graphs/research/roles-under-test.ts";
import { promptFolder } from "../models/prompt-folder.ts";
import { startModelService } from "./model-service.ts";

const PLANNER = "你是一个自定义的规划专家。先想清楚，再分成任务。\n\n{{systemContext}}";
const VERIFIER = '你负责验收任务。\n```json\n{"component": "verifier-response", "tasks": [{"id": "task-1"}]}\n```';
const CONTEXT = "本系统属于港务局。";
const TODOS = { "planner-response": [plan([{ id: "T1", description: YEAR }])] };

const systemOf = (requests: readonly SeenRequest[], role: string) =>
  contentsOf(requests.find((request) => askedRole(request) === role)!, "system")[0] ?? "";

it("templates without the placeholders of this project start, and what their roles need is appended", async () => {
  const promptsDir = promptFolder({ "planner.md": PLANNER, "verifier.md": VERIFIER });
  const service = await startModelService(TODOS, { environment: { PROMPTS_DIR: promptsDir } });
  const run = await service.ask({ question: YEAR, systemContext: CONTEXT });
  expect([run.error, run.termination?.reason]).toEqual([null, "completed"]);
  const planner = systemOf(service.model.requests, "planner-response");
  expect(planner.startsWith(`${PLANNER.replace("{{systemContext}}", CONTEXT)}\n\nLanguage: write in Chinese`)).toBe(true);
  expect(planner).toMatch(
    /\n\nToday is \d{4}-\d\d-\d\d\.\n\nAnswer with one JSON object of this form and nothing else:\n\{"type": "component"/,
  );
  const verifier = systemOf(service.model.requests, "verifier-response");
  expect(verifier.startsWith(VERIFIER)).toBe(true);
  expect(verifier.endsWith(`\n\n${CONTEXT}`)).toBe(true);
});

it("SYSTEM_CONTEXT is in every prompt, before the context of the request, and in the recording", async () => {
  const service = await startModelService(TODOS, { environment: { SYSTEM_CONTEXT: CONTEXT } });
  const run = await service.ask({ question: YEAR, systemContext: "请简短。" });
  expect(service.model.requests.length).toBeGreaterThan(4);
  for (const request of service.model.requests) expect(contentsOf(request, "system")[0]).toContain(`${CONTEXT}\n\n请简短。`);
  const plain = await service.ask({ question: BUILDER });
  expect(contentsOf(service.model.requests.at(-1)!, "system")[0]?.endsWith(CONTEXT)).toBe(true);
  for (const one of [run, plain]) await expectReplay({ dossier: service, run: one });
});

it("prompts of a request replace the templates for its run only, and are in its recording", async () => {
  const service = await startModelService(TODOS);
  const run = await service.ask({ question: YEAR, systemContext: CONTEXT, prompts: { planner: PLANNER, reader: "只摘录原文。" } });
  expect(run.error).toBeNull();
  const own = systemOf(service.model.requests, "planner-response");
  expect(own.startsWith(PLANNER.replace("{{systemContext}}", CONTEXT))).toBe(true);
  expect(own).toContain("\n\nToday is ");
  expect(systemOf(service.model.requests, "text").startsWith("只摘录原文。\n\nLanguage: ")).toBe(true);
  const { segments } = await readRecording(await service.recordingLines(run.id));
  const input = segments[0]?.segment.input;
  expect(input).toMatchObject({ task: { prompts: { planner: expect.stringMatching(/^[0-9a-f]{64}$/), verifier: expect.any(String) } } });
  await expectReplay({ dossier: service, run });

  const before = service.model.requests.length;
  await service.ask({ question: YEAR });
  expect(systemOf(service.model.requests.slice(before), "planner-response").startsWith("You plan the research")).toBe(true);
});

it.each(["executor", "agent", "team"])("prompts of a request reach the roles of the graph %s", async (graph) => {
  const roles = { executor: ["writer"], agent: ["agent"], team: ["agent", "child", "supervisor"] }[graph] ?? [];
  const prompts = Object.fromEntries(roles.map((role) => [role, `自定义：${role}。`]));
  const team = { pattern: "sequential", children: [{ id: "a", prompt: "回答问题。" }] };
  const service = await startModelService({ tools: [say.text("艾达·彭罗斯建造了灯塔。")] });
  const run = await service.ask({ question: BUILDER, graph, prompts, ...(graph === "team" && { team }) });
  const said = service.model.requests.flatMap((request) => contentsOf(request, "system")).join("\n");
  expect(roles.filter((role) => !said.includes(`自定义：${role}。`))).toEqual([]);
  expect(run.question).toBe(BUILDER);
});

const REFUSED = [
  ["poet", "写诗。", /is not a role; the roles are: decision, writer, agent, planner/],
  ["planner", "用{{langauge}}写。", /line 1: \{\{langauge\}\} is not known here\. There are: \{\{language\}\}/],
  ["planner", " ", /line 1: it is empty/],
  ["planner", "长".repeat(20_001), /at most 20000 characters/],
] as const;

it("prompts that cannot be used are refused with 400 and a reason", async () => {
  const service = await startModelService(TODOS);
  for (const [role, template, message] of REFUSED) {
    const errors = [{ path: `/prompts/${role}`, message: expect.stringMatching(message) }];
    const refused = await service.ask({ question: YEAR, prompts: { [role]: template } });
    expect(refused).toMatchObject({ status: 400, code: "invalid_request", errors });
  }
  expect(service.model.requests).toEqual([]);
});
