import type { Citation, DraftClaim } from "../domain/report.ts";
import { readSentences } from "./cited-sentences.ts";
import { CitationNumbers, markerContext } from "./cited-text.ts";
import type { Evidence } from "./evidence.ts";
import { openHost } from "./host-names.ts";
import { openStrike } from "./struck-out.ts";

/** A text as `readCitedText` reads it, while it arrives. */
export interface CitedStream {
  /** The sentences that have become complete with `piece`, with what they cite; those that do not hold are not `supported`. */
  push(piece: string): DraftClaim[];
  /** The rest. */
  end(): DraftClaim[];
  /** All citations so far, numbered from 1. */
  readonly citations: readonly Citation[];
}

/** Nothing can end a sentence or a marker but these. */
const MAY_COMPLETE = /[\n\])】）］.!?。！？；;]/;
/** What has not become a sentence by then never will; nothing more is shown of such a text before its end. */
const MAX_HELD = 32_000;

/** A sentence is complete when the next one has begun, because its markers stand behind it. */
export function createCitedStream(
  evidence: ReadonlyMap<string, Evidence>,
  known: readonly string[] = [],
  addresses: readonly string[] = [],
): CitedStream {
  const context = markerContext(evidence);
  const numbers = new CitationNumbers(known, addresses);
  let held = "";
  let section = "";
  /** Below it a look at `held` is not worth its time. */
  let lookAt = 0;
  const take = (final: boolean): DraftClaim[] => {
    const { sentences } = readSentences(held, context, section);
    const until = Math.min(openStrike(held), openHost(held));
    const complete = final ? sentences : sentences.slice(0, -1).filter(({ end }) => end <= until);
    const last = complete.at(-1);
    held = final ? "" : held.slice(last?.end ?? 0);
    section = last?.section ?? section;
    lookAt = held.length + Math.max(1, held.length >> 3);
    return complete.map((sentence) => numbers.read(sentence).claim);
  };
  return {
    push: (piece) => {
      held += piece;
      if (held.length > MAX_HELD || held.length < lookAt || !MAY_COMPLETE.test(held)) return [];
      return take(false);
    },
    end: () => (held.length > MAX_HELD ? [] : take(true)),
    get citations() {
      return numbers.citations;
    },
  };
}
