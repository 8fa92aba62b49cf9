/** Replaces secret values by `***`. Longer values come first, because they may contain shorter ones. */
export function maskValues(text: string, values: readonly string[], by: (value: string) => string = () => "***"): string {
  const longestFirst = values.filter((value) => value !== "").toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, value) => masked.replaceAll(value, by), text);
}

/** Keeps the length of the text, so that offsets in it stay right. */
export function blotValues(text: string, values: readonly string[]): string {
  return maskValues(text, values, (value) => "*".repeat(value.length));
}

/** A copy of JSON with the values masked in all strings and names. */
export function maskJson<T>(value: T, values: readonly string[]): T {
  return values.length === 0 ? value : (maskedJson(value, values) as T);
}

function maskedJson(value: unknown, values: readonly string[]): unknown {
  if (typeof value === "string") return maskValues(value, values);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => maskedJson(part, values));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [maskValues(key, values), maskedJson(part, values)]));
}

/** A server may print a secret as it is, escaped in JSON or percent-encoded in a URL or a form. */
export function writtenForms(value: string): string[] {
  const whole = value.toWellFormed();
  const encoded = encodeURIComponent(whole);
  const lower = encoded.replaceAll(/%../g, (digits) => digits.toLowerCase());
  const inForm = new URLSearchParams([["", whole]]).toString().slice(1);
  return [...new Set([value, JSON.stringify(whole).slice(1, -1), encoded, lower, inForm])];
}

/** Masks a text that arrives in pieces: an end that may begin a value waits for the next piece. Returns what can be shown, and that end. */
export function maskSoFar(text: string, values: readonly string[]): readonly [shown: string, held: string] {
  const masked = maskValues(text, values);
  const held = Math.max(0, ...values.map((value) => overlap(masked, value)));
  return [masked.slice(0, masked.length - held), masked.slice(masked.length - held)];
}

function overlap(text: string, value: string): number {
  let length = Math.min(text.length, value.length - 1);
  while (length > 0 && !text.endsWith(value.slice(0, length))) length -= 1;
  return Math.max(0, length);
}
