import { type Block, CELL_SEPARATOR, keepSentences } from "../domain/blocks.ts";
import { type DraftClaim, isChecked, type StruckSentence } from "../domain/report.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../evidence/citation-markers.ts";
import type { CitedText } from "../evidence/cited-text.ts";
import { cleanReason } from "../evidence/clean-reason.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { markUnknownHosts } from "../evidence/unknown-references.ts";

export interface CleanContext {
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Addresses of the sources and of the question. All others are removed. */
  readonly known: readonly string[];
  readonly question: string;
}

export type Cleaner = ReturnType<typeof createCleaner>;

/** Removes numbers in brackets and addresses that no source has from what a model wrote. Unchecked sentences lose unknown host names too. */
export function createCleaner({ evidence, known, question }: CleanContext) {
  const hosts = [question, ...known];
  const passages = Array.from(evidence.values(), ({ title = "", text, start, end }) => `${title}\n${text.slice(start, end)}`);
  const sources = [...hosts, ...passages];
  const labels = new Map<string, string>();
  // Addresses come last, because removing a number can join the halves of one.
  const clean = (words: string): string => stripUnknownAddresses(stripBracketedNumbers(words), known).trim();
  const unchecked = (words: string): string => markUnknownHosts(clean(words), hosts);
  const label = (words: string): string => {
    const cleaned = labels.get(words) ?? markUnknownHosts(clean(words), sources);
    labels.set(words, cleaned);
    return cleaned;
  };
  return {
    label,
    /** For what no quote supports. */
    unchecked,
    struck: ({ text, reason }: StruckSentence): StruckSentence => ({ text: unchecked(text), reason: cleanReason(reason, unchecked) }),
    sentence(claim: DraftClaim, isRow: boolean): DraftClaim {
      const words = isChecked(claim) ? clean : unchecked;
      const cells = isRow ? claim.text.split(CELL_SEPARATOR).map(words) : [words(claim.text)];
      const text = cells.every((cell) => cell === "") ? "" : cells.join(CELL_SEPARATOR);
      return { ...claim, text, section: label(claim.section), reason: claim.reason === null ? null : cleanReason(claim.reason, unchecked) };
    },
  };
}

/** Cleans the sentences and labels of a text. What becomes empty is dropped. */
export function cleanPart(
  { claims, blocks }: Pick<CitedText, "claims" | "blocks">,
  cleaner: Cleaner,
): { claims: DraftClaim[]; blocks: Block[] } {
  const rows = new Set(blocks.flatMap((block) => (block.kind === "table" ? block.rows : [])));
  const cleaned = claims.map((claim, index) => cleaner.sentence(claim, rows.has(index)));
  const labelled = blocks.flatMap((block) => cleanLabels(block, cleaner));
  return keepSentences({ claims: cleaned, blocks: labelled }, ({ text }) => text !== "", reasonOf);
}

/** Why a sentence that is left out was struck, for `keepSentences`. */
export function reasonOf(claim: DraftClaim | undefined): string | null {
  return claim?.reason ?? null;
}

function cleanLabels(block: Block, { label }: Cleaner): Block[] {
  if (block.kind === "table") return [{ ...block, head: block.head.map(label) }];
  if (block.kind !== "heading") return [block];
  const text = label(block.text);
  return text === "" ? [] : [{ ...block, text }];
}
