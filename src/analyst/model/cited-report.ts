import type { ChatReply, ChatRequest } from "../../domain/chat.ts";
import type { WritingView } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt } from "../../domain/ports/models.ts";
import type { Citation, DraftClaim } from "../../domain/report.ts";
import type { ModelRole } from "../../domain/roles.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import {
  type CitationFault,
  type CitedPart,
  type CitedStream,
  createCitedStream,
  MAX_CITED_TEXT,
  readCitedText,
} from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { FenceRemover, sanitizeText, unwrapFences } from "../../evidence/sanitize-output.ts";
import { stripUnknownHosts } from "../../evidence/unknown-references.ts";
import { languageName } from "../../ranking/language.ts";
import type { LongWork } from "../../util/turns.ts";
import { type CitedPlace, showPassages } from "./passages.ts";

const NO_ANSWER = /^[\s*_#>"'“]{0,200}NO[ _]ANSWER\b[\s*_]*[:：.。—–-]?[\s*_]*/i;
const MARK = "NO ANSWER";
const MAX_REASON_LENGTH = 1_000;
/** In UTF-16 code units. The start of an answer is shown once it is longer, because it is no NO ANSWER then. */
const MAX_HEAD_LENGTH = 220;

/** Returns the text after NO ANSWER, which says what is missing; null if `text` does not begin so. */
export function readNoAnswer(text: string): string | null {
  const match = NO_ANSWER.exec(text);
  if (match === null) return null;
  const paragraph = text.slice(match[0].length).split(/\n\s*\n/, 1)[0] ?? "";
  return paragraph.replaceAll(/\s+/g, " ").trim().slice(0, MAX_REASON_LENGTH).toWellFormed();
}

function mayBeNoAnswer(beginning: string): boolean {
  if (beginning.length > MAX_HEAD_LENGTH) return false;
  const start = beginning
    .replace(/^[\s*_#>"'“]+/, "")
    .toUpperCase()
    .replaceAll("_", " ");
  return MARK.startsWith(start.slice(0, MARK.length));
}

export interface ReadReport {
  readonly cutOff: boolean;
  readonly text: string;
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  /** All sentences in order. Unsupported sentences have no citations. */
  readonly written: readonly DraftClaim[];
  readonly unsupported: readonly string[];
  readonly faults: readonly CitationFault[];
  /** What is missing, maybe `""`, if the model wrote NO ANSWER; otherwise null. */
  readonly noAnswer: string | null;
}

export function* readReport(
  answer: string,
  evidence: ReadonlyMap<string, Evidence>,
  known: readonly string[],
  { question, cutOff }: { readonly question: string; readonly cutOff: boolean },
): LongWork<ReadReport> {
  const text = unwrapFences(answer);
  const missing = readNoAnswer(text);
  if (missing !== null) {
    const noAnswer = sanitizeText(missing, known);
    return { cutOff, text, claims: [], citations: [], written: [], unsupported: [], faults: [], noAnswer };
  }
  const { claims, citations, faults } = yield* readCitedText(text, evidence, { known: [question], addresses: known });
  const clean = (words: string): string => stripUnknownAddresses(stripBracketedNumbers(words), known);
  const hosts = [question, ...known];
  const shown = ({ text: words, supported }: DraftClaim): string => (supported ? clean(words) : stripUnknownHosts(clean(words), hosts));
  const passages = Array.from(evidence.values(), ({ title = "", text: whole, start, end }) => `${title}\n${whole.slice(start, end)}`);
  const sources = [...hosts, ...passages];
  const sections = new Map<string, string>();
  const written: DraftClaim[] = [];
  for (const claim of claims) {
    const section = sections.get(claim.section) ?? stripUnknownHosts(clean(claim.section), sources);
    sections.set(claim.section, section);
    const words = shown(claim);
    if (words !== "") written.push({ ...claim, text: words, section });
    yield;
  }
  return {
    cutOff: cutOff || text.length > MAX_CITED_TEXT,
    text,
    claims: written.filter((claim) => claim.supported),
    citations,
    written,
    unsupported: claims.filter((claim) => !claim.supported).map((claim) => claim.text),
    faults,
    noAnswer: null,
  };
}

/** Whether fewer than half of the sentences are supported, none is, or a figure is not in the quotes of its sentence. */
export function needsCorrection({ claims, unsupported, faults, noAnswer }: ReadReport): boolean {
  if (noAnswer !== null) return false;
  return claims.length === 0 || unsupported.length > claims.length || faults.some(({ why }) => why === "amount_not_in_quote");
}

/** Chooses the report with more supported sentences, then with fewer unsupported ones, then the later one. */
export function betterOf<Report extends ReadReport>(first: Report, second: Report): Report {
  if (first.claims.length !== second.claims.length) return first.claims.length > second.claims.length ? first : second;
  return first.unsupported.length < second.unsupported.length ? first : second;
}

export interface StreamContext {
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly known: readonly string[];
  readonly question: string;
}

/** Filters a cited text while a model writes it. Keeps complete sentences that their quotes support. */
export class CitedProseFilter {
  readonly #known: readonly string[];
  readonly #stream: CitedStream;
  readonly #unfenced = new FenceRemover();
  #section = "";
  /** The first characters of the text, which are not shown while they may be the beginning of `NO ANSWER`; null after that. */
  #head: string | null = "";

  constructor({ evidence, known, question }: StreamContext) {
    this.#known = known;
    this.#stream = createCitedStream(evidence, { known: [question], addresses: known });
  }

  /** Returns sentences as Markdown with citation numbers. Each ends with an empty line. */
  push(piece: string): string[] {
    return this.#take(this.#unfenced.push(piece));
  }

  end(): string[] {
    return [...this.#take(this.#unfenced.end()), ...this.#say(claimsOf(this.#stream.end()))];
  }

  #take(piece: string): string[] {
    const waiting = this.#head;
    if (waiting === null) return this.#say(claimsOf(this.#stream.push(piece)));
    this.#head = waiting + piece;
    if (mayBeNoAnswer(this.#head)) return [];
    const head = this.#head;
    this.#head = null;
    return this.#say(claimsOf(this.#stream.push(head)));
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

function claimsOf(parts: readonly CitedPart[]): DraftClaim[] {
  return parts.flatMap(({ claims }) => claims);
}

export interface CitedAnswer {
  readonly text: string;
  /** The model's answer if `text` is only a part of it; otherwise `""`. */
  readonly whole: string;
  /** Tells the model why the text is missing or incomplete; null if it is usable. */
  readonly fault: string | null;
  readonly cutOff?: boolean;
  readonly unanswered: readonly string[];
}

export interface ReportDisplay {
  push(piece: string): void;
  end(): void;
  restart(reason: string): void;
  /** Shows the answer that was chosen. `last`: it is the one that `push` has just shown. */
  finish?(answer: CitedAnswer, last: boolean): void;
}

export interface WriterRole {
  readonly role: ModelRole;
  readonly node: string;
  readonly schema: ChatRequest["schema"];
  /** Places that todos cite. Their passages are selected first. */
  readonly cited: readonly CitedPlace[];
  readonly otherTokens: number;
  system(): Promise<string>;
  userMessage(passages: readonly Evidence[]): Promise<string>;
  correction(faults: string): Promise<string>;
  openDisplay(context: StreamContext, effects: Effects): ReportDisplay;
  read(reply: ChatReply, known: readonly string[]): CitedAnswer;
}

export function createWriterRole(view: WritingView, prompts: RenderPrompt): WriterRole {
  const { question, readings, systemContext } = view;
  const node = "summarize";
  return {
    role: "writer",
    node,
    schema: null,
    cited: [],
    otherTokens: 0,
    system: () => prompts("writer", { language: languageName(view), systemContext }),
    userMessage: (passages) => prompts("messages/writer-passages", { passages: showPassages(passages, readings), question }),
    correction: (faults) => prompts("messages/writer-correction", { faults }),
    openDisplay: (context, effects) => createDraftDisplay(node, context, effects),
    read: ({ content }) => ({ text: content, whole: "", fault: null, unanswered: [] }),
  };
}

function createDraftDisplay(node: string, context: StreamContext, effects: Effects): ReportDisplay {
  const callId = effects.nextId();
  let number = 1;
  let prose = new CitedProseFilter(context);
  const emit = (sentences: readonly string[]): void => {
    for (const delta of sentences) effects.emit({ type: "content", node, callId, try: number, delta });
  };
  return {
    push: (piece) => emit(prose.push(piece)),
    end: () => emit(prose.end()),
    restart(reason) {
      number += 1;
      prose = new CitedProseFilter(context);
      effects.emit({ type: "call-restarted", callId, try: number, reason });
    },
  };
}
