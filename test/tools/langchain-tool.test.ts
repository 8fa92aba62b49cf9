import { DynamicStructuredTool, DynamicTool, tool } from "@langchain/core/tools";
import { expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { fromLangChainTool } from "../../src/tools/langchain-tool.ts";
import { createToolbox, toEntry } from "../../src/tools/tools.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { askModel } from "../helpers/with-model.ts";

const HEIGHT = "The tower of Tolmere is 41 metres high.";
const described = { name: "tower_height", description: "Tells how high a tower is." };
const context = { runId: "run", scope: [], metadata: {}, signal: new AbortController().signal };
const call = (one: Tool, args: unknown, more = {}) => one.call(one.schema.parse(args), { ...context, ...more });
const height = tool(async ({ town }) => (town === "Tolmere" ? HEIGHT : ""), { ...described, schema: z.object({ town: z.string() }) });

it("takes name, description and parameters from a zod schema", async () => {
  const made = fromLangChainTool(height, { kind: "query" });
  expect(createToolbox([made]).describe(["tower_height"])).toMatchObject([
    { ...described, kind: "query", parameters: { type: "object", properties: { town: { type: "string" } }, required: ["town"] } },
  ]);
  expect(made.schema.safeParse({ town: 7 }).success).toBe(false);
  const { text, sources } = await call(made, { town: "Tolmere" });
  expect(text).toBe(HEIGHT);
  expect(sources).toMatchObject([{ title: 'tower_height {"town":"Tolmere"}', text: HEIGHT, url: expect.stringMatching(/^langchain:/) }]);
});

it("takes parameters from a JSON schema, and from a tool of one text", async () => {
  const schema = { type: "object", properties: { floors: { type: "integer", minimum: 1 } }, required: ["floors"] } as const;
  const byJson = new DynamicStructuredTool({
    ...described,
    schema,
    func: async (args) => `${(args as { floors: number }).floors * 3} metres`,
  });
  expect((await call(fromLangChainTool(byJson, { kind: "query" }), { floors: 4 })).text).toBe("12 metres");
  expect(fromLangChainTool(byJson, { kind: "query" }).schema.safeParse({ floors: 0 }).success).toBe(false);
  const byText = new DynamicTool({ ...described, func: async (town) => `${town}: 41 metres` });
  expect((await call(fromLangChainTool(byText, { kind: "query" }), { input: "Tolmere" })).text).toBe("Tolmere: 41 metres");
});

it.each([
  [
    "content blocks",
    [
      { type: "text", text: HEIGHT },
      { type: "text", text: "It is old." },
    ],
    undefined,
    `${HEIGHT}\n\nIt is old.`,
  ],
  ["an image", [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }], undefined, "(image_url, not shown)"],
  ["an artifact without a text", "", { metres: 41 }, '{"metres":41}'],
  ["an artifact beside a text", HEIGHT, [41], HEIGHT],
])("reads %s", async (_, content, artifact, text) => {
  const func = async () => [content, artifact];
  const made = tool(func, { ...described, schema: z.object({}), responseFormat: "content_and_artifact" });
  expect((await call(fromLangChainTool(made, { kind: "query" }), {})).text).toBe(text);
});

it("hands its signal through", async () => {
  const stop = new AbortController();
  const made = tool(async (_, { signal }) => String(signal?.aborted), { ...described, schema: z.object({}) });
  const waits = tool((_, { signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))), {
    ...described,
    schema: z.object({}),
  });
  expect((await call(fromLangChainTool(made, { kind: "query" }), {}, { signal: stop.signal })).text).toBe("false");
  const waiting = call(fromLangChainTool(waits, { kind: "query" }), {}, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow();
});

it("refuses a schema that cannot be checked", () => {
  const schema = { type: "object", properties: { at: { $ref: "https://example.org/at.json" } } } as const;
  const made = new DynamicStructuredTool({ ...described, schema, func: async () => "" });
  expect(() => fromLangChainTool(made, { kind: "query" })).toThrow("The parameters of the LangChain tool tower_height cannot be checked");
});

it("becomes an entry of the optional tools", () => {
  const made = fromLangChainTool(height, { kind: "query" });
  const entry = toEntry(made);
  expect([entry.name, entry.services, entry.create({} as never)]).toEqual(["tower_height", [], made]);
});

it("is called by an agent, which cites its result", async () => {
  const script = [say.toolCalls([{ name: "tower_height", arguments: { town: "Tolmere" } }]), say.text(`41 metres. [S1: "${HEIGHT}"]`)];
  const parts = { tools: [fromLangChainTool(height, { kind: "query" })] };
  const { run } = await askModel(script, { question: "How high is the tower of Tolmere?", graph: "agent" }, { parts });
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([HEIGHT]);
});

it("shows its failure to the model", async () => {
  const fails = tool(async () => Promise.reject(new Error("no ladder")), { ...described, schema: z.object({}) });
  const script = [say.toolCalls([{ name: "tower_height", arguments: {} }]), say.text("It is unknown.")];
  const parts = { tools: [fromLangChainTool(fails, { kind: "query" })] };
  const { run, model, of } = await askModel(script, { question: "How high is the tower?", graph: "agent" }, { parts });
  expect(of("tool-ended")).toMatchObject([{ tool: "tower_height", ok: false }]);
  expect(contentsOf(model.requests[1] as SeenRequest, "tool")[0]).toContain("no ladder");
  expect(run.status).toBe("succeeded");
});

it("waits for consent if it changes something", async () => {
  const built: string[] = [];
  const build = tool(async ({ town }) => `built ${built.push(town)}`, {
    ...described,
    name: "build_tower",
    schema: z.object({ town: z.string() }),
  });
  const script = [say.toolCalls([{ name: "build_tower", arguments: { town: "Tolmere" } }]), say.text("It is built.")];
  const parts = { tools: [fromLangChainTool(build, { kind: "mutation" })] };
  const { run, dossier } = await askModel(script, { question: "Build a tower in Tolmere", graph: "agent" }, { parts });
  expect(run.pending).toMatchObject([{ kind: "confirmation", call: { tool: "build_tower", arguments: { town: "Tolmere" } } }]);
  expect(built).toEqual([]);
  await dossier.runs.answer(TENANT, run.id, { approve: true });
  expect((await dossier.finish(run.id)).status).toBe("succeeded");
  expect(built).toEqual(["Tolmere"]);
});
