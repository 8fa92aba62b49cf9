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
