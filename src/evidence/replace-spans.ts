/** Returns the text with each of its spans replaced. They are in order and do not overlap. */
export function replaceSpans<One extends { readonly start: number; readonly end: number }>(
  text: string,
  spans: Iterable<One>,
  replace: (span: One) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const span of spans) {
    parts.push(text.slice(from, span.start), replace(span));
    from = span.end;
  }
  return parts.join("") + text.slice(from);
}
