import { firstOf, invalid, type Refusal } from "./refusal.ts";

interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
}
interface Call {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

const ROLES = ["system", "developer", "user", "assistant", "tool"];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns why OpenAI's server would refuse the messages, for example a call without its result; undefined if it would not. */
export function historyFault(messages: readonly Message[]): Refusal | undefined {
  return firstOf(messages.map(messageFault)) ?? pairingFault(messages);
}

function messageFault(message: Message, at: number): Refusal | undefined {
  const place = `messages[${at}]`;
  if (!ROLES.includes(String(message.role))) return invalid(`Invalid role in '${place}': ${String(message.role)}.`, `${place}.role`);
  if (message.role !== "assistant") return hasContent(message) ? undefined : invalid(`'${place}' must have content.`, `${place}.content`);
  if (message.tool_calls !== undefined) return callsFault(message.tool_calls, `${place}.tool_calls`);
  return hasContent(message) ? undefined : invalid(`The assistant's '${place}' must have content or tool_calls.`, `${place}.content`);
}

const hasContent = ({ content }: Message) => typeof content === "string" || (Array.isArray(content) && content.length > 0);

function callsFault(calls: unknown, place: string): Refusal | undefined {
  if (!Array.isArray(calls) || calls.length === 0)
    return invalid(`'${place}' must be an array with at least one call.`, place, "empty_array");
  const fault = firstOf(calls.map((call: Call, at) => callFault(call, `${place}[${at}]`)));
  if (fault) return fault;
  const twice = calls.map((call: Call) => call.id).find((id, at, ids) => ids.indexOf(id) !== at);
  return twice === undefined ? undefined : invalid(`Duplicate id in '${place}': ${String(twice)}.`, place);
}

function callFault(call: Call, place: string): Refusal | undefined {
  if (typeof call.id !== "string" || call.id === "") return invalid(`'${place}' must have an id.`, `${place}.id`);
  if (call.type !== "function") return invalid(`'${place}' must be of type 'function'.`, `${place}.type`);
  const { name, arguments: given } = call.function ?? {};
  if (typeof name !== "string" || !NAME.test(name))
    return invalid(`The name in '${place}' must match ${NAME.source}.`, `${place}.function.name`);
  return typeof given === "string" ? undefined : invalid(`The arguments in '${place}' must be a string.`, `${place}.function.arguments`);
}

function pairingFault(messages: readonly Message[]): Refusal | undefined {
  let asked: readonly string[] = [];
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!asked.includes(id)) return stray(at, id);
      open.delete(id);
      continue;
    }
    if (open.size > 0) return unanswered(open, at);
    asked = Array.isArray(message.tool_calls) ? message.tool_calls.map((call: Call) => String(call.id)) : [];
    open = new Set(asked);
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

const stray = (at: number, id: string) =>
  invalid(
    `Messages of role 'tool' must answer a call of the preceding message with 'tool_calls'; there is none with id ${id}.`,
    `messages[${at}].role`,
  );

const unanswered = (open: ReadonlySet<string>, at: number) =>
  invalid(
    `A message with 'tool_calls' must be followed by a tool message for each 'tool_call_id'. Without a result: ${[...open].join(", ")}.`,
    `messages[${at}].role`,
  );
