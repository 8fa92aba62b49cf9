import type { Block } from "../../domain/blocks.ts";
import type { Citation, DraftClaim, StruckSentence, SupportReason } from "../../domain/report.ts";
import { readCitedText as readSentences, createCitedStream as streamSentences } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import type { LongWork } from "../../util/turns.ts";

// This file stands in for the reader of src/evidence/cited-text.ts, which returns blocks. It goes when that one is merged.

export interface ReadOptions {
  readonly prefixes?: readonly string[];
  readonly known?: readonly string[];
  readonly addresses?: readonly string[];
  readonly showInvented?: boolean;
}

export interface CitationFault {
  readonly sentence: string;
  readonly marker: string;
  readonly why: SupportReason;
  readonly words: string;
}

export interface CitedText {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly blocks: readonly Block[];
  readonly struck: readonly StruckSentence[];
  readonly faults: readonly CitationFault[];
  readonly text: string;
}

export interface CitedPart {
  readonly blocks: readonly Block[];
  readonly claims: readonly DraftClaim[];
}

function arrange(claims: readonly DraftClaim[]): Block[] {
  const sections = Map.groupBy(claims.entries(), ([, { section }]) => section);
  return [...sections].flatMap(([text, members]): Block[] => {
    const paragraph: Block = { kind: "paragraph", sentences: members.map(([index]) => index) };
    return text === "" ? [paragraph] : [{ kind: "heading", level: 2, text, support: null, reason: null }, paragraph];
  });
}

const REASONS = { unknown_id: "unknown_source", figure_not_in_quote: "amount_not_in_quote" } as const;

export function* readCitedText(whole: string, evidence: ReadonlyMap<string, Evidence>, options: ReadOptions = {}): LongWork<CitedText> {
  const { prefixes = [], known = [], addresses = [] } = options;
  const { claims, citations, faults, text } = yield* readSentences(whole, evidence, prefixes, known, addresses);
  const told = faults.map(({ sentence, marker, why }): CitationFault => {
    const reason = why === "unknown_id" || why === "figure_not_in_quote" ? REASONS[why] : why;
    return { sentence, marker, why: reason, words: why === "figure_not_in_quote" ? marker : "" };
  });
  const invented = new Map(
    told.filter(({ why }) => why === "unknown_source" || why === "quote_not_found").map((one) => [one.sentence, one.why]),
  );
  const isShown = ({ text: words, supported }: DraftClaim): boolean => supported || !invented.has(words);
  const shown = claims.filter(isShown);
  const struck = claims.filter((claim) => !isShown(claim)).map(({ text: words }) => ({ text: words, reason: invented.get(words) ?? "" }));
  return { claims: shown, citations, blocks: arrange(shown), struck, faults: told, text };
}

export function createCitedStream(evidence: ReadonlyMap<string, Evidence>, { known = [], addresses = [] }: ReadOptions = {}) {
  const stream = streamSentences(evidence, known, addresses);
  let held: DraftClaim[] = [];
  const take = (claims: readonly DraftClaim[], final: boolean): CitedPart[] => {
    const all = [...held, ...claims];
    const last = all.at(-1)?.section;
    held = final ? [] : all.filter(({ section }) => section === last);
    const parts = Map.groupBy(final ? all : all.filter(({ section }) => section !== last), ({ section }) => section);
    return [...parts.values()].map((own) => ({ claims: own, blocks: arrange(own) }));
  };
  return {
    push: (piece: string): CitedPart[] => take(stream.push(piece), false),
    end: (): CitedPart[] => take(stream.end(), true),
    get citations(): readonly Citation[] {
      return stream.citations;
    },
  };
}
