import type { JsonValue } from "../../../domain/json.ts";
import { fitProps, type ReadText } from "./fit-props.ts";
import type { Form } from "./form.ts";
import { grows } from "./grows.ts";
import { unwrapped } from "./read-component.ts";
import { objectStarts, readPartial } from "./read-partial.ts";

/** Looked at again when it has grown by so many characters, less often when it is long. */
const FIRST_STEP = 16;
const STEP = 64;
const SHARE = 1 / 8;
/** What grows further is shown when it is whole. */
const MAX_LENGTH = 200_000;

/** The props of a component whose text arrives in pieces. What it gives only grows; a long text is read a few dozen times in all. */
export class GrowingProps {
  readonly #form: Pick<Form<unknown>, "name" | "read">;
  readonly #readText: ReadText;
  #text = "";
  #lookAt = FIRST_STEP;
  /** Where the object begins that was shown. */
  #start: number | null = null;
  #shown: JsonValue | null = null;

  /** @param readText must give more for more, as it is asked again whenever a text has grown */
  constructor(form: Pick<Form<unknown>, "name" | "read">, readText: ReadText) {
    this.#form = form;
    this.#readText = readText;
  }

  /** What was shown last. */
  get shown(): JsonValue | null {
    return this.#shown;
  }

  /** The props where they have grown enough with `piece` to be shown again, otherwise null. */
  push(piece: string): JsonValue | null {
    if (this.#text.length > MAX_LENGTH) return null;
    this.#text += piece;
    return this.#text.length < this.#lookAt ? null : this.look();
  }

  /** The props as they stand, where they have grown since they were shown; otherwise null. */
  look(): JsonValue | null {
    const props = this.#read();
    const { length } = this.#text;
    this.#lookAt = length + Math.max(this.#shown === null && props === null ? FIRST_STEP : STEP, Math.floor(length * SHARE));
    if (props === null || !hasGrown(this.#shown, props)) return null;
    this.#shown = props;
    return props;
  }

  #read(): JsonValue | null {
    const starts = this.#start === null ? objectStarts(this.#text) : [this.#start];
    for (const start of starts) {
      const value = readPartial(this.#text, start);
      if (value === null) continue;
      const props = fitProps(this.#form.read, unwrapped(value, this.#form.name), this.#readText);
      if (props === undefined || Object.keys(props as object).length === 0) continue;
      this.#start = start;
      return props;
    }
    return null;
  }
}

function hasGrown(before: JsonValue | null, next: JsonValue): boolean {
  return before === null || (grows(before, next) && !grows(next, before));
}
