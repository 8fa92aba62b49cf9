// Finds URLs, links and active HTML in a text. It shares no code with the service's filter, so that it can check the filter.

const PATTERNS: readonly RegExp[] = [
  /[a-z][a-z0-9+.-]*:\/\/[^\s"<>]*/gi,
  /\b(?:javascript|vbscript|data|mailto):(?=[^\s"])[^\s"<>]*/gi,
  /(?<![\p{L}\p{N}])www\.[\p{L}\p{N}][^\s"<>]*/giu,
  /(?<![:/\p{L}\p{N}])\/\/[\p{L}\p{N}][\p{L}\p{N}-]*\.[^\s"<>]*/gu,
  // Markdown: targets of links and images, and reference definitions.
  /\]\([^)\s]*[/:.@][^)]*\)/g,
  /^[ >]{0,6}\[[^\]\n]+\]:[^\S\n]*\S*[/:.@]\S*/gm,
  // Email autolinks, tags with attributes, and active tags.
  /<[^\s<>]+@[^\s<>]+>/g,
  /<[a-z][^<>]*=[^<>]*>/gi,
  /<\/?(?:script|iframe|object|embed|svg|style|form|base|meta|link)\b[^<>]*>/gi,
  /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+(?:com|net|org|biz|example|security|ai|io|evil)\/[^\s"<>]*/giu,
  /[a-z0-9._%+-]+@[a-z0-9-]+\.[a-z]{2,}/gi,
];

/** Returns every URL, link and active tag in `text`. The strings in `allowed` are removed first. */
export function shownAddresses(text: string, allowed: readonly string[] = []): string[] {
  const longestFirst = allowed.filter((one) => one !== "").toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, one) => left.replaceAll(one, " "), text);
  return PATTERNS.flatMap((pattern) => Array.from(rest.matchAll(pattern), ([found]) => found));
}
