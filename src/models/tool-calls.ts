import type { ModelToolCall } from "../domain/chat.ts";
import { isFields, parseJson } from "../util/json-fields.ts";
import type { CallFragment } from "./langchain-messages.ts";
import { offeredName } from "./template-tokens.ts";

/** Finds the end of JSON in linear time. `JSON.parse` after each piece would take quadratic time. */
class JsonEnd {
  #depth = 0;
  #began = false;
  #inString = false;
  #escaped = false;

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

/** Special tokens of a chat template behind the arguments. */
const TOKENS_AT_END = /(?<=\}\s*)(?:<\|\w{1,40}\|>\s*)+$/;

const MAX_CALLS = 128;
/** The longest arguments of one call in UTF-16 code units. What follows is not taken, and the answer ends as one that is too long. */
const MAX_ARGUMENTS = 200_000;

/** In UTF-16 code units. No tool has a longer name; an id may hold what the server wants to get back. */
const MAX_NAME = 128;
const MAX_ID = 20_000;

/** A longer name is that of no tool, and stays so: the mark at its end is in no name. */
function boundName(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME).toWellFormed()}…`;
}

interface OpenCall {
  readonly index: number | null;
  sentId: string;
  id: string;
  name: string;
  arguments: string;
  readonly end: JsonEnd;
  complete: boolean;
  /** Whether the closed arguments are no JSON object. No further text can make them one. */
  invalid: boolean;
}

/** Assembles tool calls from pieces. Servers may repeat or leave out ids, names and indexes. */
export class CallAssembler {
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();
  readonly #offered: ReadonlySet<string>;
  #isCut = false;

  constructor(offered: ReadonlySet<string>) {
    this.#offered = offered;
  }

  get calls(): ModelToolCall[] {
    return this.#calls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  }

  get tooMuch(): boolean {
    return this.#calls.length > MAX_CALLS || this.#isCut;
  }

  push({ index, id, name, text }: CallFragment, take: (text: string) => string): { complete: ModelToolCall[]; text: string } {
    const fragment = { index, id: id.slice(0, MAX_ID), name: boundName(name), text: take(text) };
    const known = this.#find(fragment);
    const before = known === undefined ? this.#completeClosed() : [];
    const call = known ?? this.#begin(fragment);
    const room = MAX_ARGUMENTS - call.arguments.length;
    this.#isCut ||= fragment.text.length > room;
    extend(call, { ...fragment, text: fragment.text.slice(0, room) });
    // `{}` may be a placeholder for arguments that follow.
    const closed = call.end.closed && !call.invalid && !isPlaceholder(call.arguments);
    call.invalid ||= closed && !isFields(parseJson(call.arguments));
    return { complete: closed && !call.invalid ? [...before, ...this.#complete(call)] : before, text: fragment.text };
  }

  /** Completes all calls after the response. In a complete response, calls without arguments get `{}`. */
  end(whole: boolean): ModelToolCall[] {
    return this.#calls.flatMap((call) => {
      if (whole && !call.complete && call.arguments.trim() === "") call.arguments = "{}";
      return this.#complete(call);
    });
  }

  shortenLast(shorten: (text: string) => string): void {
    const last = this.#calls.at(-1);
    if (last !== undefined && !last.complete) last.arguments = shorten(last.arguments);
  }

  keepUpTo(id: string): void {
    const at = this.#calls.findIndex((call) => call.id === id);
    const kept = this.#calls.slice(0, at + 1).filter(({ complete }) => complete);
    this.#calls.splice(0, this.#calls.length, ...kept);
  }

  #find(fragment: CallFragment): OpenCall | undefined {
    if (fragment.index === null) return this.#findWithoutIndex(fragment);
    const call = this.#calls.findLast(({ index }) => index === fragment.index);
    if (call === undefined || fragment.name === "") return call;
    // Some servers send the same index for all calls.
    const other = fragment.id !== "" && call.sentId !== "" && fragment.id !== call.sentId;
    const again = call.end.closed && !isPlaceholder(call.arguments) && fragment.text.trimStart().startsWith("{");
    return other || again ? undefined : call;
  }

  #findWithoutIndex({ id, name, text }: CallFragment): OpenCall | undefined {
    const last = this.#calls.at(-1);
    if (id === "") return name === "" || (name === last?.name && !last.end.closed) ? last : undefined;
    const call = this.#calls.findLast((one) => one.sentId === id);
    if (call === undefined || name === "") return call ?? (name === "" ? last : undefined);
    return call.end.closed && (text === "" || text.trimStart().startsWith("{")) ? undefined : call;
  }

  #begin({ index, id }: CallFragment): OpenCall {
    const call = { index, sentId: id, id: "", name: "", arguments: "", end: new JsonEnd(), complete: false, invalid: false };
    this.#calls.push(call);
    return call;
  }

  #completeClosed(): ModelToolCall[] {
    return this.#calls.filter(({ end }) => end.closed).flatMap((call) => this.#complete(call));
  }

  #complete(call: OpenCall): ModelToolCall[] {
    if (call.complete) return [];
    call.complete = true;
    call.name = offeredName(call.name, this.#offered);
    call.arguments = call.arguments.replace(TOKENS_AT_END, "");
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

function extend(call: OpenCall, { id, name, text }: CallFragment): void {
  call.sentId ||= id;
  // A server may send a name in pieces, or again with each fragment.
  if (call.arguments === "" && name !== call.name) call.name = boundName(call.name + name);
  if (call.complete || text === "") return;
  if (isPlaceholder(call.arguments) && text.trimStart().startsWith("{")) call.arguments = "";
  call.arguments += text;
  call.end.push(text);
}

function isPlaceholder(text: string): boolean {
  return text.length < 20 && /^\s*\{\s*\}\s*$/.test(text);
}
