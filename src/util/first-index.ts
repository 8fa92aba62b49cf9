/** The first index below `length` for which `isBehind` holds, by binary search; `length` if there is none. Once true, it has to stay true. */
export function firstIndex(length: number, isBehind: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
