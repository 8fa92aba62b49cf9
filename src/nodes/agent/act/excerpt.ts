const MAX_LENGTH = 5_000;
const WINDOW = 1_200;

/** The beginning of a text, or the stretches around the words that are looked for; at most 5,000 UTF-16 code units. */
export function excerpt(text: string, find: string): string {
  const spans = find === "" ? [] : placesOf(text, find);
  if (spans.length > 0) return spans.map(({ start, end }) => cut(text, start, end)).join("\n[…]\n");
  const missing = find === "" ? "" : `${JSON.stringify(find)} does not stand in it. It begins:\n`;
  return missing + cut(text, 0, MAX_LENGTH);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Windows around the places, overlapping ones joined, as many as there is room for. */
function placesOf(text: string, find: string): Span[] {
  const spans: { start: number; end: number }[] = [];
  for (const at of occurrences(text, find)) {
    const start = Math.max(0, at - WINDOW / 2);
    const end = Math.min(text.length, at + WINDOW / 2);
    const last = spans.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else spans.push({ start, end });
    const taken = spans.reduce((sum, span) => sum + span.end - span.start, 0);
    if (taken > MAX_LENGTH - WINDOW) break;
  }
  return spans;
}

function* occurrences(text: string, find: string): Generator<number> {
  const pattern = new RegExp(find.split(/\s+/).map(escaped).join("\\s+"), "giu");
  for (const match of text.matchAll(pattern)) yield match.index;
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function cut(text: string, start: number, end: number): string {
  const part = text.slice(start, Math.min(end, start + MAX_LENGTH)).toWellFormed();
  return end < text.length ? `${part}\n(characters ${start} to ${Math.min(end, start + MAX_LENGTH)} of ${text.length})` : part;
}
