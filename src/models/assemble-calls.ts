import type { ModelToolCall } from "../domain/chat.ts";
import { countOf, fieldsOf, isFields, parseJson, textOf } from "./raw-json.ts";

/** Finds the end of a JSON object or list that arrives in pieces; every character is looked at once. */
class JsonEnd {
  #depth = 0;
  #began = false;
  #inString = false;
  #escaped = false;

  /** Whether the first object or list is closed. */
  get closed(): boolean {
    return this.#began && this.#depth === 0;
  }

  push(piece: string): void {
    for (const character of piece) this.#look(character);
  }

  #look(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (character === "\\") this.#escaped = true;
      else if (character === '"') this.#inString = false;
    } else if (character === '"') this.#inString = true;
    else if (character === "{" || character === "[") {
      this.#began = true;
      this.#depth += 1;
    } else if (character === "}" || character === "]") this.#depth -= 1;
  }
}

/** A response with more calls than this has gone wrong. */
const MAX_CALLS = 128;

interface OpenCall {
  readonly index: number | null;
  /** As the server says it; empty where it says none. */
  sentId: string;
  /** The one that is handed on; given when the call is complete. */
  id: string;
  name: string;
  arguments: string;
  readonly end: JsonEnd;
  complete: boolean;
}

/**
 * Puts the tool calls of one response together, from fragments in any of the forms that servers send: ids that are absent, empty,
 * equal or repeated, no index, arguments in pieces, whole, as an object or not at all, a name that is repeated or empty.
 */
export class CallAssembler {
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();

  /** All calls, in the order in which they began; those that are not complete have no id yet. */
  get calls(): ModelToolCall[] {
    return this.#calls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  }

  /** Whether there are more calls than anybody wants. */
  get tooMuch(): boolean {
    return this.#calls.length > MAX_CALLS;
  }

  /** Takes a fragment, and of its arguments what `take` leaves; gives the calls that are complete now, and the arguments that have come. */
  push(fragment: unknown, take: (text: string) => string): { complete: ModelToolCall[]; text: string } {
    const { index, id, function: named, ...rest } = fieldsOf(fragment);
    // Some servers leave out the level of `function`.
    const { name, arguments: sent } = isFields(named) ? named : rest;
    const said = { index: countOf(index), id: textOf(id), name: textOf(name), text: take(argumentsOf(sent)) };
    const known = this.#find(said);
    // Calls may come side by side: one whose arguments have not come yet waits for them.
    const before = known === undefined ? this.#completeClosed() : [];
    const call = known ?? this.#begin(said);
    extend(call, said);
    // Empty arguments may be a placeholder for those that follow; another call or the end will tell.
    const closed = call.end.closed && !isPlaceholder(call.arguments) && isFields(parseJson(call.arguments));
    return { complete: closed ? [...before, ...this.#complete(call)] : before, text: said.text };
  }

  /** Nothing more comes. Where the response is whole, calls without arguments have none; otherwise they stay as they are. */
  end(whole: boolean): ModelToolCall[] {
    return whole ? this.#completeAll() : this.#calls.flatMap((call) => this.#complete(call));
  }

  /** Changes the arguments of the call that grows. */
  shortenLast(shorten: (text: string) => string): void {
    const last = this.#calls.at(-1);
    if (last !== undefined && !last.complete) last.arguments = shorten(last.arguments);
  }

  /** Drops all calls that began after the one with that id, and those before it that are not complete. */
  keepUpTo(id: string): void {
    const at = this.#calls.findIndex((call) => call.id === id);
    const kept = this.#calls.slice(0, at + 1).filter(({ complete }) => complete);
    this.#calls.splice(0, this.#calls.length, ...kept);
  }

  /** The call that a fragment belongs to; undefined where it begins another one. */
  #find(said: Said): OpenCall | undefined {
    if (said.index === null) return this.#findWithoutIndex(said);
    const call = this.#calls.findLast(({ index }) => index === said.index);
    if (call === undefined || said.name === "") return call;
    // Some servers give all their calls one index.
    const other = said.id !== "" && call.sentId !== "" && said.id !== call.sentId;
    const again = call.end.closed && !isPlaceholder(call.arguments) && said.text.trimStart().startsWith("{");
    return other || again ? undefined : call;
  }

  #findWithoutIndex({ id, name, text }: Said): OpenCall | undefined {
    const last = this.#calls.at(-1);
    if (id === "") return name === "" || (name === last?.name && !last.end.closed) ? last : undefined;
    const call = this.#calls.findLast((one) => one.sentId === id);
    if (call === undefined || name === "") return call ?? (name === "" ? last : undefined);
    return call.end.closed && (text === "" || text.trimStart().startsWith("{")) ? undefined : call;
  }

  #begin({ index, id }: Said): OpenCall {
    const call = { index, sentId: id, id: "", name: "", arguments: "", end: new JsonEnd(), complete: false };
    this.#calls.push(call);
    return call;
  }

  #completeClosed(): ModelToolCall[] {
    return this.#calls.filter(({ end }) => end.closed).flatMap((call) => this.#complete(call));
  }

  #completeAll(): ModelToolCall[] {
    return this.#calls.flatMap((call) => {
      if (!call.complete && call.arguments.trim() === "") call.arguments = "{}";
      return this.#complete(call);
    });
  }

  #complete(call: OpenCall): ModelToolCall[] {
    if (call.complete) return [];
    call.complete = true;
    return [{ id: this.#giveId(call), name: call.name, arguments: call.arguments }];
  }

  #giveId(call: OpenCall): string {
    let id = call.sentId;
    for (let number = this.#calls.indexOf(call) + 1; id === "" || this.#ids.has(id); number += 1) id = `call-${number}`;
    this.#ids.add(id);
    call.id = id;
    return id;
  }
}

interface Said {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

function extend(call: OpenCall, { id, name, text }: Said): void {
  call.sentId ||= id;
  // A name in pieces comes before the arguments; one that is said again is no piece of it.
  if (call.arguments === "" && name !== call.name) call.name += name;
  if (call.complete || text === "") return;
  if (isPlaceholder(call.arguments) && text.trimStart().startsWith("{")) call.arguments = "";
  call.arguments += text;
  call.end.push(text);
}

/** No arguments, or none yet. */
function isPlaceholder(text: string): boolean {
  return text.length < 20 && /^\s*\{\s*\}\s*$/.test(text);
}

function argumentsOf(sent: unknown): string {
  if (typeof sent === "string") return sent;
  return isFields(sent) ? JSON.stringify(sent) : "";
}
