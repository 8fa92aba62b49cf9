import type { Body } from "../neutral.ts";
import { firstRefusal } from "../provider.ts";
import { objectsIn, signatureOf, stringIn } from "../values.ts";
import { blocksOf } from "./read.ts";

const TOOL_BLOCKS = ["tool_use", "tool_result"];

/** Returns what a thinking block with this text is signed with. */
export const signatureOfThinking = (thinking: string): string => signatureOf("anthropic", thinking);

/** Returns why Anthropic refuses the messages; undefined if it does not. */
export function historyFault(body: Body): string | undefined {
  const messages = objectsIn(body["messages"]);
  return firstRefusal<string>([
    () => (messages.length === 0 ? "messages: at least one message is required" : undefined),
    () => firstOf(messages.map(roleFault)),
    () => (messages[0]?.["role"] === "user" ? undefined : 'messages: first message must use the "user" role'),
    () => firstOf(messages.map((message, at) => contentFault(message, at, messages.length))),
    () => pairingFault(messages),
    () => toolsFault(body, messages),
    () => firstOf(messages.flatMap((message, at) => thinkingFaults(message, at))),
    () => lostThinkingFault(body, messages),
  ]);
}

const firstOf = (faults: readonly (string | undefined)[]) => faults.find((fault) => fault !== undefined);

function roleFault({ role }: Body, at: number): string | undefined {
  return role === "user" || role === "assistant" ? undefined : `messages.${at}.role: Input should be 'user' or 'assistant'`;
}

function contentFault({ role, content }: Body, at: number, count: number): string | undefined {
  const blocks = blocksOf(content);
  const isLastAnswer = role === "assistant" && at === count - 1;
  if (blocks.length === 0 || content === "")
    return isLastAnswer ? undefined : `messages.${at}: all messages must have content, except for a last one of the assistant`;
  if (blocks.some(({ type, text }) => type === "text" && stringIn(text) === "")) return "messages: text content blocks must be non-empty";
  if (blocks.some(({ type, text }) => type === "text" && stringIn(text).trim() === ""))
    return "messages: text content blocks must contain non-whitespace text";
  if (isLastAnswer && /\s$/.test(stringIn(blocks.at(-1)?.["text"]))) return "messages: a last assistant content cannot end with whitespace";
  return undefined;
}

function pairingFault(messages: readonly Body[]): string | undefined {
  for (const [at, message] of messages.entries()) {
    const asked = idsIn(message, "tool_use", "id");
    const told = new Set(idsIn(messages[at + 1], "tool_result", "tool_use_id"));
    const open = asked.filter((id) => !told.has(id));
    if (open.length > 0)
      return `messages.${at}: \`tool_use\` ids have no \`tool_result\` blocks immediately after: ${open.join(", ")}. The next message must answer each of them.`;
    const before = new Set(idsIn(messages[at - 1], "tool_use", "id"));
    const stray = idsIn(message, "tool_result", "tool_use_id").find((id) => !before.has(id));
    if (stray !== undefined)
      return `messages.${at}.content: unexpected \`tool_use_id\` in \`tool_result\` blocks: ${stray}. The previous message has no such \`tool_use\` block.`;
    const twice = asked.find((id, place) => asked.indexOf(id) !== place);
    if (twice !== undefined) return `messages.${at}.content: \`tool_use\` ids must be unique, ${twice} is not`;
  }
  return undefined;
}

const idsIn = (message: Body | undefined, type: string, key: string): string[] =>
  blocksOf(message?.["content"])
    .filter((block) => block["type"] === type)
    .map((block) => stringIn(block[key]));

function toolsFault(body: Body, messages: readonly Body[]): string | undefined {
  const used = messages.some(({ content }) => blocksOf(content).some(({ type }) => TOOL_BLOCKS.includes(stringIn(type))));
  if (!used || objectsIn(body["tools"]).length > 0) return undefined;
  return "Requests with `tool_use` or `tool_result` blocks must define tools";
}

function thinkingFaults({ content }: Body, at: number): (string | undefined)[] {
  return blocksOf(content).map((block, place) => {
    if (block["type"] !== "thinking") return undefined;
    const where = `messages.${at}.content.${place}`;
    if (typeof block["signature"] !== "string" || block["signature"] === "") return `${where}.thinking.signature: Field required`;
    if (block["signature"] === signatureOfThinking(stringIn(block["thinking"]))) return undefined;
    return `${where}: Invalid \`signature\` in \`thinking\` block`;
  });
}

/** With thinking enabled, each message with calls in the current turn has to begin with what was thought before them. */
function lostThinkingFault(body: Body, messages: readonly Body[]): string | undefined {
  if ((body["thinking"] as { type?: unknown } | undefined)?.type !== "enabled") return undefined;
  const isQuestion = ({ role, content }: Body) => role === "user" && blocksOf(content).some(({ type }) => type === "text");
  const start = messages.findLastIndex(isQuestion);
  for (const [at, message] of messages.entries()) {
    const [first, ...rest] = blocksOf(message["content"]);
    const calls = [first, ...rest].some((block) => block?.["type"] === "tool_use");
    const type = stringIn(first?.["type"]);
    if (at < start || !calls || type === "thinking" || type === "redacted_thinking") continue;
    return `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`, although \`thinking\` is enabled`;
  }
  return undefined;
}
