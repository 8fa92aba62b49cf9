import type { DraftClaim } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { type CitedStream, createCitedStream } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { createFenceRemover } from "../../evidence/sanitize-output.ts";
import { mayBeNoAnswer } from "./no-answer.ts";

/** What cited texts are read with. */
export interface Paper {
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** The addresses that it may name. */
  readonly known: readonly string[];
  readonly question: string;
}

/** Of a cited text that arrives in pieces, what readers may see: a sentence when it is complete and one of its citations holds, never earlier. */
export class ShownProse {
  readonly #known: readonly string[];
  readonly #stream: CitedStream;
  readonly #unfenced = createFenceRemover();
  #section = "";
  /** The beginning, until it is clear that the text is an answer. */
  #head: string | null = "";

  constructor({ evidence, known, question }: Paper) {
    this.#known = known;
    this.#stream = createCitedStream(evidence, [question], known);
  }

  /** The sentences that are to be shown now, each in Markdown with its numbers and an empty line after it. */
  push(piece: string): string[] {
    return this.#take(this.#unfenced.push(piece));
  }

  end(): string[] {
    return [...this.#take(this.#unfenced.end()), ...this.#say(this.#stream.end())];
  }

  #take(piece: string): string[] {
    const waiting = this.#head;
    if (waiting === null) return this.#say(this.#stream.push(piece));
    this.#head = waiting + piece;
    if (mayBeNoAnswer(this.#head)) return [];
    const head = this.#head;
    this.#head = null;
    return this.#say(this.#stream.push(head));
  }

  #say(claims: readonly DraftClaim[]): string[] {
    return claims
      .filter(({ supported }) => supported)
      .map((claim) => {
        const heading = claim.section === this.#section || claim.section === "" ? "" : `## ${this.#clean(claim.section)}\n\n`;
        this.#section = claim.section;
        return `${heading}${this.#clean(claim.text)} ${claim.citations.map((id) => `[${id}]`).join("")}\n\n`;
      });
  }

  #clean(text: string): string {
    return stripUnknownAddresses(stripBracketedNumbers(text), this.#known);
  }
}
