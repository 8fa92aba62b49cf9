import type { JsonValue } from "../../../domain/json.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { TextFilter } from "../../../domain/ports/models.ts";
import { createOutputFilter, sanitizeText } from "../../../evidence/sanitize-output.ts";
import { asWritten, isOtherComponent, unwrap, unwrapProps } from "./aliases.ts";
import { type ComponentFormat, fitProps, type PartialValue, type PropFilter } from "./component-format.ts";
import { objectStarts, readPartial } from "./read-component.ts";

/** Whether `next` only extends `before`: longer strings, more items, more keys. */
export function isExtension(before: JsonValue, next: JsonValue): boolean {
  if (typeof before === "string") return typeof next === "string" && next.startsWith(before);
  if (typeof before !== "object" || before === null) return before === next;
  if (typeof next !== "object" || next === null || Array.isArray(before) !== Array.isArray(next)) return false;
  return Object.entries(before).every(([key, one]) => {
    const grown = Object.hasOwn(next, key) ? (next as Readonly<Record<string, JsonValue>>)[key] : undefined;
    return grown !== undefined && isExtension(one, grown);
  });
}

/** The text is parsed again when it has grown by this many UTF-16 code units, or by SHARE if that is more. */
const FIRST_STEP = 16;
const STEP = 64;
const SHARE = 1 / 8;
/** In UTF-16 code units. A longer component is shown only when it is complete. */
const MAX_LENGTH = 200_000;

/** Reads the props of a component while a model writes it. The props only grow. A long text is parsed only a few dozen times. */
export class GrowingProps {
  readonly #format: Pick<ComponentFormat<unknown>, "name" | "read" | "about">;
  readonly #readText: PropFilter;
  #text = "";
  #parseAt = FIRST_STEP;
  #start: number | null = null;
  #shown: JsonValue | null = null;
  #written: PartialValue = { open: {}, closed: {} };

  /** @param readText must return an extension of its earlier result when its text is extended */
  constructor(format: Pick<ComponentFormat<unknown>, "name" | "read" | "about">, readText: PropFilter) {
    this.#format = format;
    this.#readText = readText;
  }

  get shown(): JsonValue | null {
    return this.#shown;
  }

  /** The shown props, or those that were read of the whole text, under the names that the model gave them. */
  asWritten(props: JsonValue, partial: boolean): JsonValue {
    if (!partial) this.#read();
    return asWritten(props, this.#written, this.#format, this.#readText);
  }

  /** Adds a piece; returns the props if they grew enough to be shown, otherwise null. */
  push(piece: string): JsonValue | null {
    if (this.#text.length > MAX_LENGTH) return null;
    this.#text += piece;
    return this.#text.length < this.#parseAt ? null : this.parseNow();
  }

  parseNow(): JsonValue | null {
    const props = this.#read();
    const { length } = this.#text;
    this.#parseAt = length + Math.max(this.#shown === null && props === null ? FIRST_STEP : STEP, Math.floor(length * SHARE));
    const hasGrown = this.#shown === null || (props !== null && isExtension(this.#shown, props) && !isExtension(props, this.#shown));
    if (props === null || !hasGrown) return null;
    this.#shown = props;
    return props;
  }

  #read(): JsonValue | null {
    const starts = this.#start === null ? objectStarts(this.#text, this.#format.name) : [this.#start];
    for (const start of starts) {
      const value = readPartial(this.#text, start);
      if (value === null || isOtherComponent(value.closed, this.#format.name)) continue;
      const props = fitProps(this.#format.read, unwrapProps(value, this.#format), this.#readText);
      if (props === undefined || Object.keys(props as object).length === 0) continue;
      this.#start = start;
      this.#written = unwrap(value, this.#format);
      return props;
    }
    return null;
  }
}

interface ComponentPlace {
  readonly node: string;
  readonly format: ComponentFormat<unknown>;
  readonly readText: () => PropFilter;
  /** Keys that are shown only when the component is complete. */
  readonly deferredKeys?: readonly string[];
}

/** Shows a component while the model writes it: at least once with `partial`, then complete. */
export class ComponentDisplay {
  readonly #place: ComponentPlace;
  readonly #effects: Effects;
  readonly #callId: string;
  #try = 1;
  #props: GrowingProps;

  constructor(place: ComponentPlace, effects: Effects) {
    this.#place = place;
    this.#effects = effects;
    this.#callId = effects.nextId();
    this.#props = this.#begin();
  }

  push(piece: string): void {
    const props = this.#props.push(piece);
    if (props !== null) this.#emit(this.#withoutDeferred(props), true);
  }

  restart(reason: string): void {
    this.#try++;
    this.#props = this.#begin();
    this.#effects.emit({ type: "call-restarted", callId: this.#callId, try: this.#try, reason });
  }

  end(props: JsonValue): void {
    const { shown } = this.#props;
    // The repair of a broken text may contradict the props shown so far.
    if (shown !== null && !isExtension(this.#withoutDeferred(shown), props))
      this.restart("What was shown of it was broken; it has been put right.");
    if (this.#props.shown === null) this.#emit(this.#withoutDeferred(this.#props.parseNow() ?? props), true);
    this.#emit(props, false);
  }

  /** Shows an unusable answer as text. Returns false if there is no text to show. */
  showAsText(text: string, known: readonly string[]): boolean {
    const delta = sanitizeText(text, known);
    if (delta.trim() === "") return false;
    this.#effects.emit({ type: "content", node: this.#place.node, callId: this.#callId, try: this.#try, delta, draft: true });
    return true;
  }

  #withoutDeferred(props: JsonValue): JsonValue {
    const { deferredKeys = [] } = this.#place;
    if (deferredKeys.length === 0 || typeof props !== "object" || props === null || Array.isArray(props)) return props;
    return Object.fromEntries(Object.entries(props).filter(([key]) => !deferredKeys.includes(key)));
  }

  #begin(): GrowingProps {
    return new GrowingProps(this.#place.format, this.#place.readText());
  }

  #emit(props: JsonValue, partial: boolean): void {
    const { name } = this.#place.format;
    const shown = this.#props.asWritten(props, partial);
    this.#effects.emit({ type: "component", component: name, props: shown, partial, callId: this.#callId, try: this.#try });
  }
}

/** In UTF-16 code units. The rest of a longer text is dropped. */
const MAX_PROP_LENGTH = 10_000;

export function createPropFilter(known: readonly string[]): PropFilter {
  const read = new Map<string, Filtered>();
  return (whole, ended, path) => {
    const text = whole.slice(0, MAX_PROP_LENGTH).replace(/[\ud800-\udbff]$/, "");
    if (ended && PLAIN.test(text)) return text;
    const before = read.get(path);
    if (before !== undefined && before.ended === ended && before.text === text) return before.shown;
    const grown = before !== undefined && !before.ended && text.startsWith(before.text) ? before : null;
    const filter = grown?.filter ?? createOutputFilter(known);
    const shown = (grown?.shown ?? "") + filter.push(text.slice(grown?.text.length)) + (ended ? filter.end() : "");
    read.set(path, { text, shown, ended, filter });
    return shown;
  };
}

interface Filtered {
  readonly text: string;
  readonly shown: string;
  readonly ended: boolean;
  readonly filter: TextFilter;
}

const PLAIN = /^[\p{L}\p{N}\s]*$/u;
