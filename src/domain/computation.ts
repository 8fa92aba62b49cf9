/** A pure function that a worker thread can run. Its arguments and its result are copied between the threads. */
export interface Computation<Input extends readonly unknown[], Result> {
  /** The address of the module that exports `run` under its own name. The thread imports it. */
  readonly module: string;
  readonly run: (...input: Input) => Result;
  /** How much `run` reads, in UTF-16 code units. */
  readonly sizeOf: (...input: Input) => number;
  /** Up to this size, the calling thread runs it at once, in less than about 20 ms. */
  readonly inlineSize: number;
}

export function computation<Input extends readonly unknown[], Result>(
  module: string,
  run: (...input: Input) => Result,
  sizeOf: (...input: Input) => number,
  inlineSize: number,
): Computation<Input, Result> {
  return { module, run, sizeOf, inlineSize };
}

/** In UTF-16 code units. */
export function lengthOfTexts(readings: readonly { readonly document: { readonly text: string } }[]): number {
  return readings.reduce((sum, { document }) => sum + document.text.length, 0);
}
