import { type Block, renumberSentences, unlessAllStruck } from "../domain/blocks.ts";
import { type Citation, type DraftClaim, NAMES_NOT_COMPARED, type StruckSentence, type SupportReason } from "../domain/report.ts";
import type { Located } from "./citation-markers.ts";
import type { CitedBlock } from "./cited-blocks.ts";
import { isFalse, type Judgement, type Known } from "./support/judge.ts";
import { type JudgedBlock, type JudgedSentence, judgeCited } from "./support/judge-cited.ts";
import { createNameSearch } from "./support/names.ts";
import { needsRest, type SummedSection, SumsJudge } from "./support/report-sums.ts";

/** What is wrong with a sentence. `words` is what the fault is about, and `marker` the citation as it was written, or `""`. */
export interface CitationFault {
  readonly sentence: string;
  readonly marker: string;
  readonly why: SupportReason;
  readonly words: string;
}

export interface ReadOptions {
  /** Ids may also begin with these. */
  readonly prefixes?: readonly string[];
  /** Names that need no quote, such as those in the question. */
  readonly known?: readonly string[];
  /** Web addresses that may be used. */
  readonly addresses?: readonly string[];
  /** Shows sentences that are false or cite something invented as `unverified`, instead of striking them. */
  readonly showInvented?: boolean;
}

/** A part of a report. `blocks` has the indices of its own `claims`. */
export interface CitedPart {
  readonly blocks: Block[];
  readonly claims: readonly DraftClaim[];
}

export interface ReadReport extends CitedPart {
  readonly struck: readonly StruckSentence[];
  readonly faults: readonly CitationFault[];
}

/** Reads the sections of a report in order, and numbers their citations. */
export class ReportReader {
  readonly #known: Known;
  readonly #sums: SumsJudge;
  readonly #showInvented: boolean;
  readonly #sections: SummedSection<JudgedBlock>[] = [];
  readonly #byPlace = new Map<string, Citation>();
  /** Sections that were not returned yet. The first of them sums up what is not read. */
  readonly #waiting: SummedSection<JudgedBlock>[] = [];

  /** @param documents the texts that may be cited */
  constructor({ known = [], addresses = [], showInvented = false }: ReadOptions, documents: readonly string[]) {
    this.#known = { names: known, addresses, isName: createNameSearch(documents) };
    this.#sums = new SumsJudge(this.#known);
    this.#showInvented = showInvented;
  }

  get citations(): Citation[] {
    return [...this.#byPlace.values()];
  }

  /**
   * Returns the sections that can be shown, in order. A section that sums up the report, and those behind it, wait until what has been read
   * has all that it sums up, or for the last section.
   * @param continues whether the blocks belong to the section that was read last
   */
  read(blocks: readonly CitedBlock[], isLast: boolean, continues = false): CitedPart[] {
    const judged = blocks.map((block) => judgeCited(block, this.#known, !this.#showInvented));
    const before = continues ? (this.#sections.pop()?.blocks ?? []) : [];
    const whole = this.#sums.judge([...before, ...judged], { isFirst: this.#sections.length === 0, isLast });
    this.#sections.push(whole);
    const section = { blocks: judged, rest: whole.rest.filter((block) => judged.includes(block)) };
    for (const { sentences } of section.blocks)
      for (const sentence of sentences) if (this.#isShown(sentence)) for (const place of sentence.located) this.#numberOf(place);
    this.#waiting.push(section);
    const parts: CitedPart[] = [];
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (isLast) this.#sums.judgeRest(next.rest);
      else if (next.rest.some(needsRest) && !(isPowerOfTwo(this.#sections.length) && this.#sums.tryRest(next.rest))) break;
      parts.push(this.#partOf(next.blocks));
      this.#waiting.shift();
    }
    return parts;
  }

  /** Returns the whole report, once all sections are read. */
  result(): ReadReport {
    for (const section of this.#sections) this.#sums.judgeRest(section.rest);
    const blocks = this.#sections.flatMap((section) => section.blocks);
    const sentences = blocks.flatMap((block) => block.sentences);
    const struck = sentences
      .filter((one) => !this.#isShown(one))
      .map((one) => ({ text: one.sentence.text, reason: reasonOf(one.judgement) ?? "" }));
    const shown = this.#partOf(blocks);
    return { ...shown, blocks: unlessAllStruck(shown.blocks), struck, faults: faultsIn(sentences) };
  }

  #isShown({ judgement }: JudgedSentence): boolean {
    return this.#showInvented || judgement?.why == null || !isFalse(judgement.why);
  }

  #partOf(judged: readonly JudgedBlock[]): CitedPart {
    const all = judged.flatMap(({ sentences }) => sentences);
    const shown = all.filter((one) => this.#isShown(one));
    const indices = new Map(shown.map((one, index) => [one, index]));
    let first = 0;
    const blocks = judged.map((one): Block => {
      const block = blockOf(one, first);
      first += one.sentences.length;
      return block;
    });
    const claims = shown.map((one) => this.#claimOf(one));
    if (blocks.every(({ kind }) => kind === "heading")) return { claims, blocks };
    const indexOf = (i: number): number | null => indices.get(all[i] as JudgedSentence) ?? null;
    return { claims, blocks: renumberSentences(blocks, indexOf, (i) => reasonOf(all[i]?.judgement ?? null)) };
  }

  #claimOf({ sentence: { text, section }, located, judgement }: JudgedSentence): DraftClaim {
    const support = judgement?.support ?? "unverified";
    const citations = [...new Set(located.map((place) => this.#numberOf(place)))];
    const supported = support === "quoted" || support === "computed";
    return { text, citations, support, supported, reason: reasonOf(judgement), expression: judgement?.expression ?? null, section };
  }

  #numberOf({ evidence, start, end }: Located): number {
    const { contentHash, sourceId, text } = evidence;
    const place = `${contentHash} ${start} ${end}`;
    const id = this.#byPlace.get(place)?.id ?? this.#byPlace.size + 1;
    this.#byPlace.set(place, { id, sourceId, contentHash, start, end, quote: text.slice(start, end) });
    return id;
  }
}

/** Reading all again at each section would take time in proportion to their square. */
function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}

function reasonOf(judgement: Judgement | null): string | null {
  if (judgement?.uncompared !== undefined) return `${NAMES_NOT_COMPARED}: ${judgement.uncompared.join(", ")}`;
  if (judgement === null || judgement.why === null) return null;
  const { reason, words } = judgement.why;
  // The id of a source that does not exist says nothing to a reader.
  return words === "" || reason === "unknown_source" ? reason : `${reason}: ${words}`;
}

function blockOf({ block, label }: JudgedBlock, first: number): Block {
  if (block.kind === "code") return block.code;
  const support = label === null ? null : label.support === "summary" ? ("summary" as const) : ("unverified" as const);
  const judged = { support, reason: reasonOf(label) };
  let next = first;
  const indices = (sentences: readonly unknown[]): number[] => sentences.map(() => next++);
  if (block.kind === "heading") return { kind: "heading", level: block.level, text: block.text, ...judged };
  if (block.kind === "table") return { kind: "table", head: [...block.head], rows: indices(block.sentences), ...judged };
  if (block.kind === "paragraph") return { kind: "paragraph", sentences: indices(block.sentences) };
  const items = block.items.map(({ sentences, ...item }) => ({ ...item, sentences: indices(sentences) }));
  return block.first === null ? { kind: "list", items } : { kind: "numbered-list", start: block.first, items };
}

function faultsIn(sentences: readonly JudgedSentence[]): CitationFault[] {
  const faults = sentences.flatMap(({ sentence: { text, markers }, judgement }): CitationFault[] => {
    const own = markers.flatMap(({ faults: why, written }) =>
      why.map((reason) => ({ sentence: text, marker: written, why: reason, words: "" })),
    );
    const { reason, words } = judgement?.why ?? { reason: null, words: "" };
    const isNamed = reason === null || own.some(({ why }) => why === reason);
    return isNamed ? own : [...own, { sentence: text, marker: "", why: reason, words }];
  });
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}
