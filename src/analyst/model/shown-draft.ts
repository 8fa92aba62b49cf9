import type { Effects } from "../../domain/ports/effects.ts";
import type { DraftClaim } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { type CitedStream, createCitedStream } from "../../evidence/cited-stream.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { withoutOwnNumbers } from "../../evidence/own-numbers.ts";
import { createUnfenced } from "../../evidence/unfenced.ts";
import { mayBeNoAnswer } from "./no-answer.ts";

/** Shows readers a report while a model writes it: a sentence when it is complete and one of its citations holds, never earlier. */
export class ShownDraft {
  readonly #node: string;
  readonly #evidence: ReadonlyMap<string, Evidence>;
  readonly #known: readonly string[];
  readonly #question: string;
  readonly #effects: Effects;
  readonly #callId: string;
  #try = 1;
  #stream: CitedStream;
  #unfenced = createUnfenced();
  #section = "";
  /** The beginning, until it is clear that the text is an answer. */
  #head: string | null = "";

  constructor(node: string, evidence: ReadonlyMap<string, Evidence>, known: readonly string[], question: string, effects: Effects) {
    this.#node = node;
    this.#evidence = evidence;
    this.#known = known;
    this.#question = question;
    this.#effects = effects;
    this.#callId = effects.nextId();
    this.#stream = createCitedStream(evidence, [question], known);
  }

  push(piece: string): void {
    this.#take(this.#unfenced.push(piece));
  }

  end(): void {
    this.#take(this.#unfenced.end());
    this.#say(this.#stream.end());
  }

  #take(piece: string): void {
    const waiting = this.#head;
    if (waiting === null) return this.#say(this.#stream.push(piece));
    this.#head = waiting + piece;
    if (mayBeNoAnswer(this.#head)) return;
    const head = this.#head;
    this.#head = null;
    this.#say(this.#stream.push(head));
  }

  /** What has been shown is taken back. */
  restart(reason: string): void {
    this.#try++;
    this.#stream = createCitedStream(this.#evidence, [this.#question], this.#known);
    this.#unfenced = createUnfenced();
    this.#section = "";
    this.#head = "";
    this.#effects.emit({ type: "call-restarted", callId: this.#callId, try: this.#try, reason });
  }

  #say(claims: readonly DraftClaim[]): void {
    for (const claim of claims.filter(({ supported }) => supported)) {
      const heading = claim.section === this.#section || claim.section === "" ? "" : `## ${this.#clean(claim.section)}\n\n`;
      this.#section = claim.section;
      const delta = `${heading}${this.#clean(claim.text)} ${claim.citations.map((id) => `[${id}]`).join("")}\n\n`;
      this.#effects.emit({ type: "content", node: this.#node, callId: this.#callId, try: this.#try, delta });
    }
  }

  #clean(text: string): string {
    return stripUnknownAddresses(withoutOwnNumbers(text), this.#known);
  }
}
