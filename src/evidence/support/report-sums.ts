import { type Judgement, type Known, type Statement, textWithUnits } from "./judge.ts";
import { judgeLabel, judgeSummary, labelHasFigures, type ReadSummed, readSummed, type Summed } from "./judge-sum.ts";
import { nearbyText, type QuotedPlace, quoteText } from "./quote-texts.ts";

export interface SummedSentence extends Pick<Statement, "text" | "head" | "links" | "followsStruck"> {
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

/** A part of a report that ends before the next heading of its level or a higher one. */
export interface SummedSection<Block extends SummedBlock> {
  readonly blocks: readonly Block[];
  /** Blocks that sum up the whole report. They are judged by `judgeRest`. */
  readonly rest: readonly Block[];
}

/** Judges a sentence that cites nothing. */
type JudgeSum = (statement: Statement, summed: ReadSummed, known: Known) => Judgement;

/** Judges what sums up checked sentences: uncited sentences, headings and the heads of tables. Takes the sections of a report in order. */
export class SumsJudge {
  readonly #known: Known;
  readonly #judgeSum: JudgeSum;
  /** What the whole report has so far. */
  readonly #whole = summedBy([]);

  constructor(known: Known, judgeSum: JudgeSum = judgeSummary) {
    this.#known = known;
    this.#judgeSum = judgeSum;
  }

  /** The lead and the end of a report sum up the whole of it. So does the text below a title, which is a heading of level 1 at the beginning. */
  judge<Block extends SummedBlock>(
    blocks: readonly Block[],
    { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
  ): SummedSection<Block> {
    for (const { sentences } of blocks)
      for (const one of sentences) {
        addSentence(one, this.#whole);
      }
    const scopes = scopesOf(blocks);
    const isTitled = isFirst && blocks[0]?.level === 1;
    const end = blocks.findLastIndex(({ sentences }) => sentences.length > 0);
    const onlySumsUp = blocks.every(({ sentences }) => !sentences.some(isChecked));
    const rest: Block[] = [];
    const summed = new Map<number, ReadSummed>();
    for (const [i, block] of blocks.entries()) {
      const scope = scopes[i] ?? { heading: -1, end: 0 };
      const isWhole = scope.heading < 0 || (isTitled && scope.heading === 0) || (isLast && (i === end || onlySumsUp));
      if (isWhole) rest.push(block);
      else if (needsRest(block)) {
        const sentences = blocks.slice(scope.heading, scope.end).flatMap((one) => one.sentences);
        const found = summed.get(scope.heading) ?? readSummed(summedBy(sentences), this.#known);
        summed.set(scope.heading, found);
        this.#judgeBlock(block, found);
      }
    }
    return { blocks, rest };
  }

  /** Judges what sums up the whole report. All sections before must have been judged. */
  judgeRest(rest: readonly SummedBlock[]): void {
    if (!rest.some(needsRest)) return;
    const summed = readSummed(this.#whole, this.#known);
    for (const block of rest) this.#judgeBlock(block, summed);
  }

  /** Judges by what has been read so far. Changes nothing and returns false if something in `rest` does not stand there. */
  tryRest(rest: readonly SummedBlock[]): boolean {
    const open = rest.map((block) => ({
      ...block,
      sentences: block.sentences.filter(({ judgement }) => judgement === null).map((one) => ({ ...one })),
    }));
    this.judgeRest(open);
    const holds = open.every(({ label, sentences }) => label?.why == null && sentences.every(({ judgement }) => judgement?.why === null));
    if (holds) this.judgeRest(rest);
    return holds;
  }

  #judgeBlock(block: SummedBlock, summed: ReadSummed): void {
    for (const one of block.sentences) {
      one.judgement ??= this.#judgeSum(one, summed, this.#known);
    }
    if (block.words !== null) block.label ??= judgeLabel(block.words, summed);
  }
}

/** Judges all that sums up a report. */
export function judgeReport(blocks: readonly SummedBlock[], known: Known, judgeSum?: JudgeSum): void {
  const judge = new SumsJudge(known, judgeSum);
  const rest: SummedBlock[] = [];
  const sections = splitSections(blocks, ({ level }) => level);
  for (const [i, section] of sections.entries())
    rest.push(...judge.judge(section, { isFirst: i === 0, isLast: i === sections.length - 1 }).rest);
  judge.judgeRest(rest);
}

/** A section ends before a heading of the level of its own heading or a higher one. The lead has no heading, and a title no subsections. */
export function splitSections<Block>(blocks: readonly Block[], levelOf: (block: Block) => number | null, isFirst = true): Block[][] {
  const sections: Block[][] = [];
  let level = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    const own = levelOf(block);
    const isBelowTitle = isFirst && sections.length === 1 && level === 1;
    if (sections.length === 0 || (own !== null && (own <= level || isBelowTitle))) {
      sections.push([]);
      level = own ?? level;
    }
    sections.at(-1)?.push(block);
  }
  return sections;
}

/** Whether the block sums up something, so that what it sums up must be read first. */
export function needsRest({ words, label, sentences }: SummedBlock): boolean {
  return sentences.some(({ judgement }) => judgement === null) || (label === null && words !== null && labelHasFigures(words));
}

function isChecked({ judgement }: SummedSentence): boolean {
  return judgement !== null && judgement.why === null && judgement.support !== "summary";
}

const MAX_DOCUMENTS = 10;

/** Adds a checked sentence with the units of its columns, its quotes with the titles of what they quote, and the text around the first quote of each document. */
function addSentence(one: SummedSentence, { texts, quotes, documents }: Summed): void {
  if (isChecked(one)) {
    texts.push(textWithUnits(one.text, one.head));
    quotes.push(...one.places.flatMap((place) => [quoteText(place), place.title ?? ""]));
  }
  for (const place of one.places)
    if (documents.size < MAX_DOCUMENTS && !documents.has(place.contentHash)) documents.set(place.contentHash, nearbyText(place));
}

export function summedBy(sentences: readonly SummedSentence[]): Summed {
  const summed: Summed = { texts: [], quotes: [], documents: new Map() };
  for (const one of sentences) addSentence(one, summed);
  return summed;
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
