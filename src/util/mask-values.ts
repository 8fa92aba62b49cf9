/** Replaces each of the values in a text by `***`, longer values first. */
export function maskValues(text: string, values: readonly string[]): string {
  const longestFirst = values.filter((value) => value !== "").toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, value) => masked.replaceAll(value, "***"), text);
}
