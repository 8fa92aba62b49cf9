import { estimateTokens } from "../domain/chat.ts";
import type { Executed, Reading } from "../domain/ports/analyst.ts";
import type { Citation } from "../domain/report.ts";
import { fence } from "../evidence/data-fence.ts";
import { firstIndex } from "../evidence/first-index.ts";
import { type Evidence, evidenceAt } from "../evidence/quote-location.ts";
import { describeSource, showPassages } from "./passages.ts";
import { tableAbove } from "./pieces.ts";
import { short } from "./prompt-text.ts";

/** A place in a document that notes quote. A writer may quote anything in it. */
export interface Noted {
  readonly evidence: Evidence;
  readonly reading: Reading;
  /** What the notes say of it, each once; empty if they only repeat it. */
  readonly texts: Set<string>;
  /** The ids of the todos that noted it. */
  readonly todos: Set<string>;
}

/** In UTF-16 code units. */
const MAX_SHOWN_QUOTE = 600;
const MAX_NOTE = 400;
const MAX_FEEDBACK = 300;
const MAX_UNSOURCED = 12;
const FENCE_TOKENS = 20;

/** Collects the places that the todos' notes quote, by turns from each todo, and numbers them from P1. */
export function collectNotes(executed: readonly Executed[], readings: readonly Reading[]): Noted[] {
  const byHash = new Map(readings.map((reading) => [reading.document.contentHash, reading]));
  const places = new Map<string, Noted>();
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
  return [...places.values()];
}

/** The whole sentences around a quote, so that a writer can quote more of them. */
function placeOf({ contentHash, start, end }: Citation, byHash: ReadonlyMap<string, Reading>, places: Map<string, Noted>): Noted | null {
  const reading = byHash.get(contentHash);
  if (reading === undefined) return null;
  const { starts, ends } = reading.document.analysis;
  const first = firstIndex(ends.length, (sentence) => (ends[sentence] ?? 0) > start);
  const last = firstIndex(ends.length, (sentence) => (ends[sentence] ?? 0) >= end);
  const whole = { start: Math.min(start, starts[first] ?? start), end: Math.max(end, ends[last] ?? end) };
  const span = whole.end - whole.start > Math.max(MAX_SHOWN_QUOTE, end - start) ? { start, end } : whole;
  const key = `${contentHash} ${span.start} ${span.end}`;
  const evidence = evidenceAt(`P${places.size + 1}`, reading, span);
  const place = places.get(key) ?? { evidence, reading, texts: new Set<string>(), todos: new Set<string>() };
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

/** Shows the notes of these passages. What is quoted stands in quotation marks, and below it what the notes say. */
export function showNotes(notes: readonly Noted[], shown: readonly Evidence[]): string {
  const byId = new Map(notes.map((noted) => [noted.evidence.id, noted]));
  const readings = notes.map(({ reading }) => reading);
  return showPassages(shown, readings, ({ id }) => textOf(byId.get(id) as Noted));
}

/** Shows the todos with the ids of their notes that are shown, and what is said of them without a source. */
export function formatTodos(executed: readonly Executed[], notes: readonly Noted[], shown: readonly Evidence[]): string {
  const ids = new Set(shown.map(({ id }) => id));
  const lines = executed.map(({ todo, findings }) => {
    const { id, description, status, feedback } = todo;
    const own = notes.filter(({ todos, evidence }) => todos.has(id) && ids.has(evidence.id)).map(({ evidence }) => evidence.id);
    const why = feedback ?? (status === "completed" ? null : findings.reason);
    const ended = why === null ? status : `${status}: ${short(why, MAX_FEEDBACK)}`;
    return fence(id, [description, ended, `Notes: ${own.join(", ") || "none"}`, ...unsourced(todo, findings)].join("\n"));
  });
  return lines.join("\n") || "none";
}

function unsourced({ status, result }: Executed["todo"], { claims, citations }: Executed["findings"]): string[] {
  if (status !== "completed" || citations.length > 0) return [];
  const texts = claims.slice(0, MAX_UNSOURCED).map(({ text }) => text);
  return (texts.length > 0 ? texts : [result ?? ""]).filter(Boolean).map((text) => `- (no source) ${short(text, MAX_NOTE)}`);
}

function textOf({ evidence: { text, start, end }, reading, texts }: Noted): string {
  const above = tableAbove(reading.document, start);
  const table = above === "" ? [] : [`Table: ${above}`];
  return [...table, `“${text.slice(start, end).toWellFormed()}”`, ...Array.from(texts, (note) => `Note: ${short(note, MAX_NOTE)}`)].join(
    "\n",
  );
}
