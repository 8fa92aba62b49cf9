import type { Script } from "../model-server/script.ts";
import { behaviorFor } from "../model-server/script.ts";
import type { SeenMessage, SeenRequest } from "../model-server/seen-request.ts";
import type { NeutralMessage, NeutralRequest, ProviderScript } from "./neutral.ts";

/** Lets a script that is written for OpenAI's protocol (model-server/script.ts, `roleScript`) answer at any provider's server. */
export const fromScript =
  (script: Script): ProviderScript =>
  (request, index) =>
    behaviorFor(script, seenOf(request), index);

/** Returns a request as it would be in OpenAI's protocol. Calls without ids get their place as one. */
export function seenOf(request: NeutralRequest): SeenRequest {
  const { model, system, messages, tools, schema, schemaName, stream, maxTokens } = request;
  const said: SeenMessage[] = messages.map(messageOf);
  return {
    body: {
      model,
      stream,
      messages: system === "" ? said : [{ role: "system", content: system }, ...said],
      ...(tools.length === 0
        ? {}
        : { tools: tools.map(({ name, description, schema: parameters }) => ({ function: { name, description, parameters } })) }),
      ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
      ...(schema === null
        ? {}
        : { response_format: { type: "json_schema", json_schema: { ...(schemaName === null ? {} : { name: schemaName }), schema } } }),
    },
    headers: {},
    at: 0,
    abortedAt: null,
    endedAt: null,
    status: null,
    refusal: null,
  };
}

function messageOf({ role, text, calls, callId }: NeutralMessage, at: number): SeenMessage {
  const asked = calls.map(({ id, name, args }, place) => ({
    id: id ?? `${at}_${place}`,
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  return { role, content: text, ...(asked.length > 0 ? { tool_calls: asked } : {}), ...(callId === null ? {} : { tool_call_id: callId }) };
}
