// Functions that the tests of the worker pool run in threads.
export const double = (value: number): number => value * 2;

export function exit(): never {
  process.exit(3);
}

export function fail(): never {
  throw new RangeError("too deep");
}

export function spin(): void {
  for (;;);
}

/** Waits until the first number of `gate` is not zero any more. */
export function doubleBehind({ value, gate }: { readonly value: number; readonly gate: SharedArrayBuffer }): number {
  Atomics.wait(new Int32Array(gate), 0, 0);
  return 2 * value;
}
