import type { ChatRequest } from "./chat.ts";

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud8bf][\udc00-\udfff]/g;
const CHARACTERS_A_TOKEN = 4;
/** What a message takes beside its text. */
const MESSAGE_TOKENS = 4;

/** About how many tokens a text has: one for a Chinese, Japanese or Korean character, one for four of any other. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / CHARACTERS_A_TOKEN);
}

/** About how many tokens are sent with a request. */
export function estimateInput({ messages, tools, schema }: Pick<ChatRequest, "messages" | "tools" | "schema">): number {
  const said = messages.map((message) => {
    const calls = message.role === "assistant" ? message.toolCalls.map((call) => call.name + call.arguments).join("") : "";
    return estimateTokens(message.content + calls) + MESSAGE_TOKENS;
  });
  const offered = tools.map(({ name, description, parameters }) => estimateTokens(name + description + JSON.stringify(parameters)));
  const form = schema === null ? 0 : estimateTokens(JSON.stringify(schema.schema));
  return [...said, ...offered].reduce((sum, tokens) => sum + tokens, form);
}
