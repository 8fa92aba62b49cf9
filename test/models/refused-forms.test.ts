import { expect, it } from "vitest";
import type { ChatMessage, ChatRequest } from "../../src/domain/chat.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { COMPATIBLE } from "../fakes/providers/openai/flavours.ts";
import { openAi } from "../fakes/providers/openai/provider.ts";
import { refusals } from "../fakes/providers/refusals.ts";
import { startProvider } from "../fakes/providers/serve.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST } from "./model-under-test.ts";

const SCHEMA = {
  name: "plan",
  schema: {
    type: "object",
    required: ["todos"],
    additionalProperties: false,
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { name: { type: "string", maxLength: 200 } },
    properties: {
      todos: { type: "array", maxItems: 9, items: { type: "string", pattern: "^\\S", maxLength: 2_000 } },
      by: { anyOf: [{ type: "object", properties: { name: { $ref: "#/$defs/name" } } }, { type: "null" }] },
      kind: { const: "plan" },
      count: { type: ["integer", "null"], minimum: 0, default: 1 },
      parts: { type: "array", items: { type: "object", properties: { text: { type: "string" } } } },
    },
  },
};
const SEARCH = {
  name: "search",
  description: "Searches.",
  kind: "query" as const,
  parameters: {
    type: "object",
    properties: { q: { type: "string", pattern: "\\d", minLength: 1 }, from: { type: "string", format: "date" } },
  },
};
const ROUND: ChatMessage[] = [
  { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "search", arguments: '{"q":"灯塔"}' }] },
  { role: "tool", callId: "c1", name: "search", content: "1874" },
];
const ASKED: ChatMessage[] = [
  { role: "system", content: "You answer." },
  { role: "user", content: "灯塔建于哪一年？" },
];
/** What the graphs send: an agent's rounds with a reminder after them, its last call without tools, a call that must be made, a component. */
const REQUESTS: readonly ChatRequest[] = [
  { ...REQUEST, messages: [...ASKED, ...ROUND, { role: "user", content: "Answer now." }], tools: [SEARCH] },
  { ...REQUEST, messages: [...ASKED, ...ROUND, { role: "user", content: "Answer now." }] },
  { ...REQUEST, messages: ASKED, tools: [SEARCH], toolChoice: "required" },
  { ...REQUEST, messages: ASKED, schema: SCHEMA },
  { ...REQUEST, messages: [...ASKED, ...ROUND], tools: [SEARCH], schema: SCHEMA },
  { ...REQUEST, messages: [...ASKED, { role: "user", content: "或者？" }, { role: "system", content: "今天是星期日。" }] },
  { ...REQUEST, model: "o3-mini", messages: ASKED, tools: [SEARCH], maxOutputTokens: 20_000 },
];
/** Rows of the table that refuse nothing that Dossier ever sends. */
const NEVER_SENT = new Set(["strict", "JSON without a schema", "parallel calls as a choice", "contents in parts"]);

it.each(refusals.map((refusal) => [refusal.name, refusal] as const))(
  "asks in a form that is not refused: %s",
  async (name, { refuses, answer }) => {
    const server = await startProvider(openAi({ flavour: COMPATIBLE, refused: [{ refuses, answer }] }), () => say.text("1874年。"));
    const model = openModel({ url: server.url });
    for (const request of REQUESTS) {
      const reply = await model.complete(request, OPTIONS, plainEffects());
      expect(reply.content).toBe("1874年。");
    }
    expect(server.refused.length > 0).toBe(!NEVER_SENT.has(name));
    // What helped is remembered: no form is refused twice.
    const before = server.refused.length;
    for (const request of REQUESTS) await model.complete(request, OPTIONS, plainEffects());
    expect(server.refused).toHaveLength(before);
  },
);
