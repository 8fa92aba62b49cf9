import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { sanitizeText } from "../../evidence/sanitize-output.ts";

/** The text is parsed again when it has grown by this many UTF-16 code units, or by SHARE if that is more. */
const STEP = 32;
const SHARE = 1 / 8;
/** In UTF-16 code units. A longer component is shown only when it is complete. */
const MAX_LENGTH = 200_000;

interface ComponentPlace {
  /** The name of the component. */
  readonly name: string;
  readonly node: string;
  /** Returns what to show of the text so far, or null. What it returns only grows with the text. */
  readonly read: (text: string) => JsonValue | null;
}

/** Shows a component while the model writes it: at least once with `partial`, then complete. */
export class ComponentDisplay {
  readonly #place: ComponentPlace;
  readonly #effects: Effects;
  readonly #callId: string;
  #try = 1;
  #text = "";
  #readAt = STEP;
  #shown: JsonValue | null = null;

  constructor(place: ComponentPlace, effects: Effects) {
    this.#place = place;
    this.#effects = effects;
    this.#callId = effects.nextId();
  }

  /** What was pushed. */
  get text(): string {
    return this.#text;
  }

  push(piece: string): void {
    if (this.#text.length > MAX_LENGTH) return;
    this.#text += piece;
    const { length } = this.#text;
    if (length < this.#readAt) return;
    this.#readAt = length + Math.max(STEP, Math.floor(length * SHARE));
    this.#show(this.#place.read(this.#text));
  }

  restart(reason: string): void {
    this.#try++;
    [this.#text, this.#readAt, this.#shown] = ["", STEP, null];
    this.#effects.emit({ type: "call-restarted", callId: this.#callId, try: this.#try, reason });
  }

  end(props: JsonValue): void {
    if (this.#shown === null) this.#show(this.#place.read(this.#text) ?? props);
    this.#emit(props, false);
  }

  /** Shows an unusable answer as text. Returns false if there is no text to show. */
  showAsText(text: string, known: readonly string[]): boolean {
    const delta = sanitizeText(text, known);
    if (delta.trim() === "") return false;
    this.#effects.emit({ type: "content", node: this.#place.node, callId: this.#callId, try: this.#try, delta, draft: true });
    return true;
  }

  #show(props: JsonValue | null): void {
    if (props === null || JSON.stringify(props) === JSON.stringify(this.#shown)) return;
    this.#shown = props;
    this.#emit(props, true);
  }

  #emit(props: JsonValue, partial: boolean): void {
    this.#effects.emit({ type: "component", component: this.#place.name, props, partial, callId: this.#callId, try: this.#try });
  }
}
