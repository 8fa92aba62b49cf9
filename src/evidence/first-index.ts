/** Returns the first index that satisfies `condition`, or `length`. Searches binarily: all later indexes must satisfy it too. */
export function firstIndex(length: number, condition: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (condition(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
