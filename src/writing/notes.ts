import { estimateTokens } from "../domain/chat.ts";
import type { Executed, Reading } from "../domain/ports/analyst.ts";
import type { Citation } from "../domain/report.ts";
import { fence } from "../evidence/data-fence.ts";
import { type Evidence, evidenceAt } from "../evidence/quote-location.ts";
import { firstIndex } from "../util/first-index.ts";
import { describeSource } from "./passages.ts";
import { short } from "./prompt-text.ts";
import { tableAbove } from "./table-head.ts";

/** A place in a document that notes quote. A writer may quote anything in it. */
export interface Noted {
  readonly evidence: Evidence;
  readonly reading: Reading;
  /** What the notes say of it, each once; empty if they only repeat it. */
  readonly texts: readonly string[];
  /** The todos that noted it. */
  readonly todos: readonly string[];
}

/** In UTF-16 code units. */
const MAX_SHOWN_QUOTE = 600;
const MAX_NOTE = 400;
const MAX_FEEDBACK = 300;
const FENCE_TOKENS = 20;

interface Place {
  readonly reading: Reading;
  readonly start: number;
  readonly end: number;
  readonly texts: Set<string>;
  readonly todos: Set<string>;
}

/** Collects the places that the todos' notes quote, by turns from each todo, and numbers them from P1. */
export function collectNotes(executed: readonly Executed[], readings: readonly Reading[]): Noted[] {
  const byHash = new Map(readings.map((reading) => [reading.document.contentHash, reading]));
  const places = new Map<string, Place>();
  const most = Math.max(0, ...executed.map(({ findings }) => findings.claims.length));
  for (let at = 0; at < most; at++) {
    for (const { todo, findings } of executed) {
      const claim = findings.claims[at];
      if (claim === undefined) continue;
      for (const citation of findings.citations.filter(({ id }) => claim.citations.includes(id))) {
        const place = placeOf(citation, byHash, places);
        if (place === null) continue;
        place.todos.add(todo.id);
        if (claim.text !== citation.quote) place.texts.add(claim.text);
      }
    }
  }
  return [...places.values()].map(({ reading, texts, todos, ...span }, index): Noted => {
    return { evidence: evidenceAt(`P${index + 1}`, reading, span), reading, texts: [...texts], todos: [...todos] };
  });
}

/** The whole sentences around a quote, so that a writer can quote more of them. */
function placeOf({ contentHash, start, end }: Citation, byHash: ReadonlyMap<string, Reading>, places: Map<string, Place>): Place | null {
  const reading = byHash.get(contentHash);
  if (reading === undefined) return null;
  const { starts, ends } = reading.document.analysis;
  const first = firstIndex(ends.length, (sentence) => (ends[sentence] ?? 0) > start);
  const last = firstIndex(ends.length, (sentence) => (ends[sentence] ?? 0) >= end);
  const whole = { start: Math.min(start, starts[first] ?? start), end: Math.max(end, ends[last] ?? end) };
  const span = whole.end - whole.start > Math.max(MAX_SHOWN_QUOTE, end - start) ? { start, end } : whole;
  const key = `${contentHash} ${span.start} ${span.end}`;
  const place = places.get(key) ?? { reading, ...span, texts: new Set<string>(), todos: new Set<string>() };
  places.set(key, place);
  return place;
}

/** Chooses the first notes that fit into `tokens`. */
export function fitNotes(notes: readonly Noted[], tokens: number): Noted[] {
  const sources = new Set<string>();
  let room = tokens;
  return notes.filter((noted) => {
    const { contentHash } = noted.evidence;
    const source = sources.has(contentHash) ? 0 : estimateTokens(describeSource(noted.reading)) + FENCE_TOKENS;
    const needed = source + estimateTokens(textOf(noted)) + FENCE_TOKENS;
    if (needed > room) return false;
    sources.add(contentHash);
    room -= needed;
    return true;
  });
}

/** Shows notes by document. What is quoted stands in quotation marks, and below it what the notes say. */
export function showNotes(notes: readonly Noted[]): string {
  const documents = Map.groupBy(notes, ({ evidence }) => evidence.contentHash);
  return [...documents.values()]
    .map((own) => {
      const [first] = own;
      const source = first === undefined ? "" : fence("source", describeSource(first.reading));
      return [source, ...own.map((noted) => fence(noted.evidence.id, textOf(noted)))].join("\n");
    })
    .join("\n\n");
}

/** Returns those of which the quoted words are shown. */
export function shownNotes(notes: readonly Noted[], shown: readonly Evidence[]): Noted[] {
  const ids = new Set(shown.map(({ id }) => id));
  return notes.filter(({ evidence }) => ids.has(evidence.id));
}

/** Shows the todos with the ids of their notes. */
export function formatNoted({ executed }: { readonly executed: readonly Executed[] }, notes: readonly Noted[]): string {
  const lines = executed.map(({ todo: { id, description, status, feedback }, findings }) => {
    const own = notes.filter(({ todos }) => todos.includes(id)).map(({ evidence }) => evidence.id);
    const why = status === "completed" ? "" : `: ${short(feedback ?? findings.reason ?? "", MAX_FEEDBACK)}`;
    return fence(id, `${description}\n${status}${why}\nNotes: ${own.join(", ") || "none"}`);
  });
  return lines.join("\n") || "none";
}

function textOf({ evidence: { text, start, end }, reading, texts }: Noted): string {
  const above = tableAbove(reading.document, start);
  const table = above === "" ? [] : [`Table: ${above}`];
  return [...table, `“${text.slice(start, end).toWellFormed()}”`, ...texts.map((note) => `Note: ${short(note, MAX_NOTE)}`)].join("\n");
}
