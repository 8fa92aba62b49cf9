import type { Reading } from "../domain/ports/analyst.ts";
import { withLongTexts } from "../util/long-texts.ts";

/** Does work over the texts of a run, see `withLongTexts`. */
export function withReadings<Result>(readings: readonly Reading[], signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const length = readings.reduce((sum, { document }) => sum + document.text.length, 0);
  return withLongTexts(length, signal, work);
}
