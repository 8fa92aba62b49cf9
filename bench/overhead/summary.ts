import type { Sample } from "./load.ts";
import { WAYS, type WayName } from "./ways.ts";

/** The samples of all rounds, by way and number of clients. */
export type Results = Readonly<Record<WayName, ReadonlyMap<number, readonly Sample[]>>>;

export interface Figures {
  readonly runsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Most milliseconds that HTTP may add to a bare invoke for a single client, and the least share of its throughput at 16. */
const MOST_ADDED_MS = 5;
const LEAST_RATIO = 0.7;

/** Medians over the rounds, and what they mean for the targets. */
export function summarise(results: Results) {
  const at = (clients: number) =>
    Object.fromEntries(WAYS.map((way) => [way, figuresOf(results[way].get(clients) ?? [])])) as Record<WayName, Figures>;
  const one = at(1);
  const sixteen = at(16);
  // Round by round, as the samples of one round have met the same machine.
  const compared = (way: WayName, clients: number, compare: (own: Sample, bare: Sample) => number) =>
    median((results[way].get(clients) ?? []).map((own, index) => compare(own, results.bare.get(clients)?.[index] ?? own)));
  const added = (way: WayName) =>
    round(
      compared(way, 1, (own, bare) => p50(own) - p50(bare)),
      2,
    );
  const ratio = (way: WayName) =>
    round(
      compared(way, 16, (own, bare) => own.runsPerSecond / bare.runsPerSecond),
      3,
    );
  const addedMs = { engine: added("engine"), http: added("http") };
  const ratioToBare = { engine: ratio("engine"), http: ratio("http") };
  return {
    clients1: one,
    clients16: sixteen,
    addedMs,
    ratioToBare,
    targets: { addedMs: addedMs.http <= MOST_ADDED_MS, ratioToBare: ratioToBare.http >= LEAST_RATIO },
  };
}

export type Summary = ReturnType<typeof summarise>;

/** The summary for people. */
export function tableOf({ clients1, clients16, addedMs, ratioToBare, targets }: Summary): string {
  const rows = [...WAYS.map((way) => rowOf(way, 1, clients1[way])), ...WAYS.map((way) => rowOf(way, 16, clients16[way]))];
  const verdict = (met: boolean) => (met ? "met" : "NOT met");
  return [
    "| way | clients | runs/s | p50 ms | p95 ms |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    `Added at 1 client: engine ${addedMs.engine} ms, HTTP ${addedMs.http} ms (target at most ${MOST_ADDED_MS}: ${verdict(targets.addedMs)})`,
    `Of bare at 16 clients: engine ${percent(ratioToBare.engine)}, HTTP ${percent(ratioToBare.http)} (target at least ${percent(LEAST_RATIO)}: ${verdict(targets.ratioToBare)})`,
    "",
  ].join("\n");
}

function rowOf(way: WayName, clients: number, { runsPerSecond, p50Ms, p95Ms }: Figures): string {
  return `| ${way} | ${clients} | ${runsPerSecond} | ${p50Ms} | ${p95Ms} |`;
}

function figuresOf(samples: readonly Sample[]): Figures {
  const over = (pick: (sample: Sample) => number, digits: number) => round(median(samples.map(pick)), digits);
  return {
    runsPerSecond: over((sample) => sample.runsPerSecond, 1),
    p50Ms: over(p50, 2),
    p95Ms: over(({ latencies }) => quantile(latencies, 0.95), 2),
  };
}

function p50({ latencies }: Sample): number {
  return quantile(latencies, 0.5);
}

function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
