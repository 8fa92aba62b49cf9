/** Replaces secret values by `***`. Longer values come first, because they may contain shorter ones. */
export function maskValues(text: string, values: readonly string[]): string {
  const longestFirst = values.filter((value) => value !== "").toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, value) => masked.replaceAll(value, "***"), text);
}
