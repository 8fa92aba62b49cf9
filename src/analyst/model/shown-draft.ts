import type { Effects } from "../../domain/ports/effects.ts";
import { type Paper, ShownProse } from "./shown-prose.ts";

/** Shows readers a report while a model writes it. */
export class ShownDraft {
  readonly #node: string;
  readonly #paper: Paper;
  readonly #effects: Effects;
  readonly #callId: string;
  #try = 1;
  #prose: ShownProse;

  constructor(node: string, paper: Paper, effects: Effects) {
    this.#node = node;
    this.#paper = paper;
    this.#effects = effects;
    this.#callId = effects.nextId();
    this.#prose = new ShownProse(paper);
  }

  push(piece: string): void {
    this.#say(this.#prose.push(piece));
  }

  end(): void {
    this.#say(this.#prose.end());
  }

  /** What has been shown is taken back. */
  restart(reason: string): void {
    this.#try++;
    this.#prose = new ShownProse(this.#paper);
    this.#effects.emit({ type: "call-restarted", callId: this.#callId, try: this.#try, reason });
  }

  #say(sentences: readonly string[]): void {
    for (const delta of sentences) this.#effects.emit({ type: "content", node: this.#node, callId: this.#callId, try: this.#try, delta });
  }
}
