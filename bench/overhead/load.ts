/** A load to measure. A sample ends after `runs` or `seconds`, whichever comes first. */
export interface Load {
  readonly clients: number;
  readonly runs: number;
  readonly seconds: number;
}

export interface Sample {
  readonly runsPerSecond: number;
  /** Milliseconds of each run, ascending. */
  readonly latencies: readonly number[];
}

/** Calls `runOnce` in `clients` parallel loops, and measures each call. */
export async function runLoad({ clients, runs, seconds }: Load, runOnce: () => Promise<unknown>): Promise<Sample> {
  const latencies: number[] = [];
  const begin = performance.now();
  let left = runs;
  const client = async (): Promise<void> => {
    while (left-- > 0 && performance.now() - begin < seconds * 1000) {
      const start = performance.now();
      await runOnce();
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = performance.now() - begin;
  return { runsPerSecond: (latencies.length / elapsed) * 1000, latencies: latencies.sort((a, b) => a - b) };
}
