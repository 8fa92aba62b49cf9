import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import type { Body } from "./neutral.ts";
import { COMPATIBLE } from "./openai/flavours.ts";
import { openAi } from "./openai/provider.ts";
import { refusals } from "./refusals.ts";
import { startProvider } from "./serve.ts";

const CALL = { id: "a", type: "function", function: { name: "search", arguments: "{}" } };
const PROPERTIES = {
  query: { type: ["string", "null"], minLength: 1, maxLength: 9, pattern: "^a$", format: "date", default: "a" },
  count: { $ref: "#/$defs/count", minimum: 1, maximum: 9 },
  kind: { anyOf: [{ const: "a" }, { type: "array", items: { type: "object", properties: { x: { type: "string" } } }, maxItems: 3 }] },
};
const SCHEMA = { $schema: "x", type: "object", properties: PROPERTIES, additionalProperties: false };
const TOOLS = [{ type: "function", function: { name: "search", parameters: SCHEMA, strict: false } }];
const USER = { role: "user", content: [{ type: "text", text: "?" }] };

/** Requests that have one form or another. */
const RICH: readonly Body[] = [
  {
    tools: TOOLS,
    tool_choice: "required",
    parallel_tool_calls: false,
    max_tokens: 9999,
    stream_options: { include_usage: true },
    response_format: { type: "json_schema", json_schema: { name: "s", schema: SCHEMA } },
    messages: [
      { role: "system", content: "a" },
      { role: "system", content: "b" },
      USER,
      USER,
      { role: "assistant", content: null, tool_calls: [CALL] },
      { role: "tool", tool_call_id: "a", content: "x" },
      USER,
    ],
  },
  { messages: [USER, { role: "assistant", content: "", tool_calls: [CALL] }, { role: "tool", tool_call_id: "a", content: "x" }] },
  { max_completion_tokens: 9, response_format: { type: "json_object" }, messages: [{ role: "user", content: "json" }] },
];
/** The simplest request. */
const PLAIN: Body = { messages: [{ role: "user", content: "?" }] };

it("has forty rows and more, of different names, words and places", () => {
  expect(refusals.length).toBeGreaterThanOrEqual(40);
  expect(new Set(refusals.map(({ name }) => name)).size).toBe(refusals.length);
  expect(new Set(refusals.map(({ words }) => words)).size).toBe(refusals.length);
  expect([...new Set(refusals.map(({ where }) => where))].sort()).toEqual(["body", "first-chunk", "later-chunk", "status"]);
  expect([...new Set(refusals.map(({ status }) => status))].sort()).toEqual([400, 405, 415, 422, 500, 501]);
});

it.each(refusals.map((row) => [row.name, row] as const))("refuses %s, and accepts a simpler request", async (_, row) => {
  const server = await startProvider(openAi({ flavour: COMPATIBLE, refused: [row] }), [say.repeat(say.text("好"))]);
  const ask = (body: Body) =>
    fetch(`${server.url}/chat/completions`, { method: "POST", body: JSON.stringify({ model: "m", stream: true, ...body }) });
  const rich = RICH.find((body) => row.refuses({ model: "m", ...body }));
  const refused = await ask(rich ?? {});
  const text = await refused.text();
  expect(refused.status).toBe(row.where === "status" ? row.status : 200);
  expect(text).toContain(JSON.stringify(row.words).slice(1, -1));
  expect(text.startsWith("data: ")).toBe(row.where.endsWith("chunk"));
  expect(server.refused).toEqual([row.words]);
  expect(await (await ask(PLAIN)).text()).toContain("好");
});
