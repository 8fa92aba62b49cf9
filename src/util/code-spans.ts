export interface TextPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a text at its code spans as Markdown renderers do (CommonMark 0.31, section 6.1). A span keeps its backticks. Takes linear time. */
export function splitCode(text: string): TextPart[] {
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: { length }, index }) => ({ start: index, length }));
  const byLength = Map.groupBy(runs, ({ length }) => length);
  // For each length, how many of its runs are behind.
  const passed = new Map<number, number>();
  const parts: TextPart[] = [];
  let from = 0;
  for (const run of runs) {
    if (run.start < from) continue;
    const escaped = (/(?<!\\)(?:\\\\)*\\$/.test(text.slice(Math.max(from, run.start - 64), run.start)) ? 1 : 0) as number;
    const length = run.length - escaped;
    const closers = byLength.get(length) ?? [];
    let at = passed.get(length) ?? 0;
    while ((closers[at]?.start ?? text.length) <= run.start) at += 1;
    passed.set(length, at);
    const close = closers[at];
    if (close === undefined) continue;
    const start = run.start + escaped;
    const end = close.start + close.length;
    if (start > from) parts.push({ text: text.slice(from, start), isCode: false });
    parts.push({ text: text.slice(start, end), isCode: true });
    from = end;
  }
  return from < text.length ? [...parts, { text: text.slice(from), isCode: false }] : parts;
}

/** Changes a text, but not its code spans. */
export function mapProse(text: string, change: (prose: string) => string): string {
  return splitCode(text)
    .map((part) => (part.isCode ? part.text : change(part.text)))
    .join("");
}

/** Returns a text without its code spans, which are shown as they are. */
export function proseOf(text: string): string {
  return splitCode(text)
    .map((part) => (part.isCode ? " " : part.text))
    .join("");
}

/** Returns what stands between the backticks of a code span. */
export function codeIn(span: string): string {
  const inside = span.replace(/^`+|`+$/g, "");
  return /^ .*[^ ].* $/s.test(inside) ? inside.slice(1, -1) : inside;
}

/** Returns a number of backticks that the text does not have in a row, so that they can enclose code in it. */
export function codeMark(text: string): string {
  const lengths = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (lengths.has(length)) length++;
  return "`".repeat(length);
}
