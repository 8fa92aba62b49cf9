/** How hard and how long: whatever bound is met first ends a sample. */
export interface Load {
  readonly clients: number;
  readonly runs: number;
  readonly seconds: number;
}

export interface Sample {
  readonly runsPerSecond: number;
  /** Of each run, in milliseconds, ascending. */
  readonly latencies: readonly number[];
}

/** `clients` loops, each of which does `once` again as soon as it is done. */
export async function drive({ clients, runs, seconds }: Load, once: () => Promise<unknown>): Promise<Sample> {
  const latencies: number[] = [];
  const begin = performance.now();
  let left = runs;
  const client = async (): Promise<void> => {
    while (left-- > 0 && performance.now() - begin < seconds * 1000) {
      const start = performance.now();
      await once();
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = performance.now() - begin;
  return { runsPerSecond: (latencies.length / elapsed) * 1000, latencies: latencies.sort((a, b) => a - b) };
}
