import { unlessAborted } from "./abort.ts";

/** In UTF-16 code units. Work over fewer never waits. */
const SHORT = 300_000;

let last: Promise<unknown> = Promise.resolve();

/**
 * Works on texts of a total `length` in UTF-16 code units. Work on long texts is done one after another, first come, first served: it may
 * take 100 bytes of heap for each code unit, and on one event loop none ends earlier beside others. `work` must only compute: it would
 * keep all others waiting. @throws the reason of `signal` while it waits
 */
export async function withLongTexts<Result>(length: number, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  if (length <= SHORT) return work();
  const before = last;
  const done = Promise.withResolvers<void>();
  last = before.then(() => done.promise);
  try {
    await unlessAborted(before, signal);
    return await work();
  } finally {
    done.resolve();
  }
}
