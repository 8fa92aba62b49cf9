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

export async function doubleLater(value: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, value === 4 ? 0 : 300));
  return 2 * value;
}
