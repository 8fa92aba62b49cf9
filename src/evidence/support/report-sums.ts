import { type Judgement, type Known, type Statement, textWithUnits } from "./judge.ts";
import { judgeLabel, judgeSummary, type ReadSummed, readSummed, type Summed } from "./judge-sum.ts";
import { nearbyText, type QuotedPlace, quoteText } from "./quote-texts.ts";

export interface SummedSentence extends Pick<Statement, "text" | "head" | "written" | "followsStruck"> {
  readonly places: readonly QuotedPlace[];
  /** Null while what the sentence may sum up is not read. */
  judgement: Judgement | null;
}

export interface SummedBlock<Sentence extends SummedSentence = SummedSentence> {
  /** The level of a heading; null for other blocks. */
  readonly level: number | null;
  /** The text of a heading, or the head of a table; null for other blocks. */
  readonly words: string | null;
  readonly sentences: readonly Sentence[];
  /** The judgement of `words`. It is null without figures. */
  label: Judgement | null;
}

/**
 * Judges what sums up checked sentences: uncited sentences, headings and the heads of tables. They sum up the section that they stand in; the lead,
 * the text below a title, which is a heading of level 1 at the beginning, and the end sum up the whole report.
 */
export function judgeReport(blocks: readonly SummedBlock[], known: Known, judgeSum: typeof judgeSummary = judgeSummary): void {
  const scopes = scopesOf(blocks);
  const end = blocks.findLastIndex(({ sentences }) => sentences.length > 0);
  const last = scopes[end];
  const endSumsUp =
    last !== undefined && !blocks.slice(Math.max(0, last.heading), last.end).some(({ sentences }) => sentences.some(isChecked));
  const read = new Map<number, ReadSummed>();
  for (const [i, block] of blocks.entries()) {
    const scope = scopes[i];
    if (scope === undefined || !sumsUp(block)) continue;
    const isTitle = scope.heading === 0 && blocks[0]?.level === 1;
    const isWhole = scope.heading < 0 || isTitle || i === end || (endSumsUp && scope.heading === last.heading);
    const summed = isWhole ? blocks : blocks.slice(scope.heading, scope.end);
    const heading = isWhole ? -1 : scope.heading;
    const found = read.get(heading) ?? readSummed(summedBy(summed.flatMap(({ sentences }) => sentences)), known);
    read.set(heading, found);
    for (const one of block.sentences) one.judgement ??= judgeSum(one, found, known);
    if (block.words !== null) block.label ??= judgeLabel(block.words, found);
  }
}

/** In blocks. What a draft compares with is bounded. */
const RECENT = 30;

/** Judges the uncited sentences of the last blocks of a report that is still written: by what stands between their heading and them. */
export function judgeDraft(last: readonly SummedBlock[], blocks: readonly SummedBlock[], known: Known): void {
  const all = [...blocks.slice(-RECENT), ...last];
  for (let at = all.length - last.length; at < all.length; at++) {
    const uncited = (all[at]?.sentences ?? []).filter(({ judgement }) => judgement === null);
    if (uncited.length === 0) continue;
    const recent = all.slice(Math.max(0, at - RECENT), at + 1);
    const section = recent.slice(recent.findLastIndex(({ level }) => level !== null) + 1);
    const summed = readSummed(summedBy(section.flatMap(({ sentences }) => sentences)), known);
    for (const one of uncited) one.judgement = judgeSummary(one, summed, known);
  }
}

/** Whether a block has something that sums up and is not judged. */
function sumsUp({ words, label, sentences }: SummedBlock): boolean {
  return sentences.some(({ judgement }) => judgement === null) || (label === null && words !== null);
}

function isChecked({ judgement }: SummedSentence): boolean {
  return judgement !== null && judgement.why === null && judgement.support !== "summary";
}

const MAX_DOCUMENTS = 10;

/** Checked sentences with the units of their columns, their quotes with the titles of what they quote, and the text around the first quote of each document. */
export function summedBy(sentences: readonly SummedSentence[]): Summed {
  const checked = sentences.filter(isChecked);
  const documents = new Map<string, string>();
  for (const place of sentences.flatMap(({ places }) => places))
    if (documents.size < MAX_DOCUMENTS && !documents.has(place.contentHash)) documents.set(place.contentHash, nearbyText(place));
  return {
    texts: checked.map(({ text, head }) => textWithUnits(text, head)),
    quotes: checked.flatMap(({ places }) => places.flatMap((place) => [quoteText(place), place.title ?? ""])),
    documents,
  };
}

/** The innermost heading of each block, or -1, and the end of its section. */
function scopesOf(blocks: readonly SummedBlock[]): { readonly heading: number; readonly end: number }[] {
  const ends = new Map<number, number>();
  const open: { readonly level: number; readonly at: number }[] = [];
  const headings = blocks.map((block, at) => {
    if (block.level !== null) {
      while (open.length > 0 && (open.at(-1)?.level ?? 0) >= block.level) ends.set(open.pop()?.at ?? -1, at);
      open.push({ level: block.level, at });
    }
    return open.at(-1)?.at ?? -1;
  });
  return headings.map((heading) => ({ heading, end: ends.get(heading) ?? blocks.length }));
}
