import type { CallForm, ScriptedCall } from "./behavior.ts";
import { piecesOf } from "./pieces.ts";

type Entry = Readonly<Record<string, unknown>>;

/** Returns the `tool_calls` entries of a stream, one chunk each, in the requested form. */
export function callDeltas(calls: readonly ScriptedCall[], form: CallForm, pieceLength: number): Entry[] {
  const queues = calls.map((call, index) => entriesOf(call, index, form, pieceLength));
  if (form.order !== "interleaved") return queues.flat();
  const longest = Math.max(...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue.slice(at, at + 1))).flat();
}

/** Returns the `tool_calls` of a complete message. */
export const wholeCalls = (calls: readonly ScriptedCall[], form: CallForm): Entry[] =>
  calls.map((call) => ({ ...idOf(call, form), type: "function", function: { name: call.name, ...wholeArguments(call, form) } }));

/** Returns the arguments as the server sends them. */
export const rawArguments = (call: ScriptedCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

function entriesOf(call: ScriptedCall, index: number, form: CallForm, pieceLength: number): Entry[] {
  const place = form.index === "missing" ? {} : { index };
  const id = idOf(call, form);
  const [first, ...later] = argumentParts(call, form, pieceLength);
  const laterId = form.id === "every" ? id : {};
  return [
    { ...place, ...id, type: "function", function: { name: call.name, ...first } },
    ...later.map((part) => ({ ...place, ...laterId, function: { ...laterName(call, form), ...part } })),
  ];
}

function argumentParts(call: ScriptedCall, form: CallForm, pieceLength: number): Entry[] {
  const raw = rawArguments(call);
  const pieces = piecesOf(raw, pieceLength).map((part) => ({ arguments: part }));
  if (form.arguments === "whole") return [{ arguments: raw }];
  if (form.arguments === "null") return [{ arguments: null }, ...(raw === "{}" ? [] : pieces)];
  if (form.arguments === "missing") return [{}, ...(raw === "{}" ? [] : pieces)];
  return [{ arguments: "" }, ...pieces];
}

function wholeArguments(call: ScriptedCall, form: CallForm): Entry {
  const raw = rawArguments(call);
  if (raw === "{}" && form.arguments === "null") return { arguments: null };
  if (raw === "{}" && form.arguments === "missing") return {};
  return { arguments: raw };
}

function idOf(call: ScriptedCall, form: CallForm): Entry {
  if (form.id === "absent") return {};
  if (form.id === "empty") return { id: "" };
  if (form.id === "0") return { id: "0" };
  return { id: call.id };
}

function laterName(call: ScriptedCall, form: CallForm): Entry {
  if (form.name === "every") return { name: call.name };
  return form.name === "empty-later" ? { name: "" } : {};
}
