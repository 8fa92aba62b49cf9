/** The text with `***` in place of each of the values; a value within a longer one is masked with it. */
export function maskValues(text: string, values: readonly string[]): string {
  const longestFirst = values.filter((value) => value !== "").toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, value) => masked.replaceAll(value, "***"), text);
}
