// What leads somewhere in a text that readers are shown. Written apart from the filter of the service, so that it can judge it.

const PATTERNS: readonly RegExp[] = [
  /[a-z][a-z0-9+.-]*:\/\/[^\s"<>]*/gi,
  /\b(?:javascript|vbscript|data|mailto):(?=[^\s"])[^\s"<>]*/gi,
  /(?<![\p{L}\p{N}])www\.[\p{L}\p{N}][^\s"<>]*/giu,
  /(?<![:/\p{L}\p{N}])\/\/[\p{L}\p{N}][\p{L}\p{N}-]*\.[^\s"<>]*/gu,
  // Targets of links and images, definitions of references.
  /\]\([^)\s]*[/:.@][^)]*\)/g,
  /^[ >]{0,6}\[[^\]\n]+\]:[^\S\n]*\S*[/:.@]\S*/gm,
  // Autolinks, and tags that can do anything.
  /<[^\s<>]+@[^\s<>]+>/g,
  /<[a-z][^<>]*=[^<>]*>/gi,
  /<\/?(?:script|iframe|object|embed|svg|style|form|base|meta|link)\b[^<>]*>/gi,
  /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+(?:com|net|org|biz|example|security|ai|io|evil)\/[^\s"<>]*/giu,
  /[a-z0-9._%+-]+@[a-z0-9-]+\.[a-z]{2,}/gi,
];

/** Everything in `text` that leads somewhere, but for the stretches that are `allowed`. */
export function shownAddresses(text: string, allowed: readonly string[] = []): string[] {
  const longestFirst = allowed.filter((one) => one !== "").toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, one) => left.replaceAll(one, " "), text);
  return PATTERNS.flatMap((pattern) => Array.from(rest.matchAll(pattern), ([found]) => found));
}
