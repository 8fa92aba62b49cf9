import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { sanitizeText } from "../../evidence/sanitize-output.ts";
import { type Fields, fieldsOf } from "../../util/json-fields.ts";
import { type ComponentFormat, propsOf } from "./component-format.ts";
import { fitPartial } from "./partial-props.ts";
import { filterJson, type PropFilter } from "./prop-text.ts";
import { readPartial } from "./read-component.ts";
import { isOther, namedFields, namesIn, writtenFields } from "./written-fields.ts";

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
const ENVELOPE = ["type", "component"];

type Shown = Pick<ComponentFormat<unknown>, "name" | "wire">;

/** Reads the props of a component while a model writes it. The props only grow. A long text is parsed only a few dozen times. */
export class GrowingProps {
  readonly #format: Shown;
  readonly #readText: PropFilter;
  #text = "";
  #parseAt = FIRST_STEP;
  #shown: JsonValue | null = null;
  #written: { readonly open: Fields; readonly closed: Fields } = { open: {}, closed: {} };

  /** @param readText must return an extension of its earlier result when its text is extended */
  constructor(format: Shown, readText: PropFilter) {
    this.#format = format;
    this.#readText = readText;
  }

  get shown(): JsonValue | null {
    return this.#shown;
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

  /** Returns props under the names that the model gave them, with its other complete fields, such as the todos of an executor. */
  asWritten(props: JsonValue, partial: boolean): JsonValue {
    if (!partial) this.#read();
    const names = namesIn(this.#written.open, this.#format.name);
    const known = [...Object.keys(propsOf(this.#format).properties ?? {}), ...Object.values(names), ...ENVELOPE];
    const more = Object.fromEntries(Object.entries(this.#written.closed).filter(([key]) => !known.includes(key)));
    const own = Object.entries(props as object).map(([key, one]) => [names[key] ?? key, one]);
    return { ...(filterJson(more, this.#readText) as object), ...Object.fromEntries(own) };
  }

  #read(): JsonValue | null {
    const read = partialProps(this.#text, this.#format, this.#readText);
    this.#written = read ?? this.#written;
    return read?.props ?? null;
  }
}

/** Reads the props of a component that may break off, and its fields as they were written; null if there are none. */
export function partialProps(text: string, format: Shown, readText: PropFilter) {
  const value = readPartial(text);
  const { name } = format;
  const [open, closed] = [writtenFields(value?.open), writtenFields(value?.closed)];
  if (isOther(closed, name)) return null;
  const named = { open: namedFields(open, name, false), closed: namedFields(closed, name, false) };
  const props = fitPartial(propsOf(format), named, readText);
  return props === undefined || Object.keys(fieldsOf(props)).length === 0 ? null : { props, open, closed };
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
    // A part that was shown may be read otherwise as a whole, such as the list that is the plan.
    if (shown !== null && !isExtension(this.#withoutDeferred(shown), props))
      this.restart("What was shown of it is read otherwise, now that it is complete.");
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
    return Object.fromEntries(Object.entries(props as object).filter(([key]) => !deferredKeys.includes(key)));
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
