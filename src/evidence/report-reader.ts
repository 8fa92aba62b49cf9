import { type Block, renumberSentences, unlessAllStruck } from "../domain/blocks.ts";
import { type Citation, type DraftClaim, NAMES_NOT_COMPARED, type StruckSentence, type SupportReason } from "../domain/report.ts";
import type { Located } from "./citation-markers.ts";
import type { CitedBlock } from "./cited-blocks.ts";
import { isFalse, type Judgement, type Known } from "./support/judge.ts";
import { type JudgedBlock, type JudgedSentence, judgeCited } from "./support/judge-cited.ts";
import { createNameSearch } from "./support/names.ts";
import { judgeDraft, judgeReport } from "./support/report-sums.ts";

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

/** A part of a report: the sentences that are shown, each with its support, and blocks with the indices of these. */
export interface CitedPart {
  readonly blocks: readonly Block[];
  readonly claims: readonly DraftClaim[];
}

export interface ReadReport extends CitedPart {
  readonly struck: readonly StruckSentence[];
  /** Each fault once, in the order of the text. */
  readonly faults: readonly CitationFault[];
}

/** Judges the blocks of a report and numbers its citations. */
export class ReportReader {
  readonly #known: Known;
  readonly #showInvented: boolean;
  readonly #blocks: JudgedBlock[] = [];
  readonly #byPlace = new Map<string, Citation>();

  /** @param documents the texts that may be cited */
  constructor({ known = [], addresses = [], showInvented = false }: ReadOptions, documents: readonly string[]) {
    this.#known = { names: known, addresses, isName: createNameSearch(documents) };
    this.#showInvented = showInvented;
  }

  get citations(): Citation[] {
    return [...this.#byPlace.values()];
  }

  /** Returns the next blocks as a draft. What sums up the report is compared only with what its section has so far. */
  add(blocks: readonly CitedBlock[]): CitedPart {
    const judged = this.#judge(blocks);
    const draft = judged.map((block) => ({ ...block, sentences: block.sentences.map((sentence) => ({ ...sentence })) }));
    judgeDraft(draft, this.#blocks, this.#known);
    this.#blocks.push(...judged);
    return this.#partOf(draft);
  }

  /** Returns a whole report. */
  read(blocks: readonly CitedBlock[]): ReadReport {
    const judged = this.#judge(blocks);
    judgeReport(judged, this.#known);
    const sentences = judged.flatMap((block) => block.sentences);
    const struck = sentences
      .filter((one) => !this.#isShown(one))
      .map((one) => ({ text: one.sentence.text, reason: reasonOf(one.judgement) ?? "" }));
    const shown = this.#partOf(judged);
    return { ...shown, blocks: unlessAllStruck([...shown.blocks]), struck, faults: faultsIn(sentences) };
  }

  #judge(blocks: readonly CitedBlock[]): JudgedBlock[] {
    return blocks.map((block) => judgeCited(block, this.#known, !this.#showInvented));
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
