import type { Sample } from "./load.ts";
import { VARIANTS, type VariantName } from "./variants.ts";

/** The samples of all rounds, by variant and number of clients. */
export type Results = Readonly<Record<VariantName, ReadonlyMap<number, readonly Sample[]>>>;

export interface Figures {
  readonly runsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** The most milliseconds that HTTP may add to a bare run at 1 client. */
const MAX_ADDED_MS = 3;
/** The lowest throughput of HTTP at 16 clients, as a share of the bare throughput on the same database. */
const MIN_RATIO = 0.75;
const MIN_RATIO_POSTGRES = 0.6;

/** Calculates medians over the rounds and compares them with the targets. */
export function summarize(results: Results) {
  const at = (clients: number) =>
    Object.fromEntries(VARIANTS.map((name) => [name, figuresOf(results[name].get(clients) ?? [])])) as Record<VariantName, Figures>;
  const one = at(1);
  const sixteen = at(16);
  // Each sample is compared with the bare one of the same round, because the machine's speed changes over time.
  const compare = (name: VariantName, clients: number, measure: (own: Sample, bare: Sample) => number) =>
    median((results[name].get(clients) ?? []).map((own, index) => measure(own, results[bareOf(name)].get(clients)?.[index] ?? own)));
  const added = (name: VariantName) =>
    round(
      compare(name, 1, (own, bare) => p50(own) - p50(bare)),
      2,
    );
  const ratio = (name: VariantName) =>
    round(
      compare(name, 16, (own, bare) => own.runsPerSecond / bare.runsPerSecond),
      3,
    );
  const addedMs = { engine: added("engine"), http: added("http") };
  const ratioToBare = { engine: ratio("engine"), http: ratio("http"), httpPostgres: ratio("http-postgres") };
  return {
    clients1: one,
    clients16: sixteen,
    addedMs,
    ratioToBare,
    targets: {
      addedMs: addedMs.http <= MAX_ADDED_MS,
      ratioToBare: ratioToBare.http >= MIN_RATIO,
      ratioToBarePostgres: ratioToBare.httpPostgres >= MIN_RATIO_POSTGRES,
    },
  };
}

export type Summary = ReturnType<typeof summarize>;

/** Formats the summary as a Markdown table with three lines on the targets. */
export function formatTable({ clients1, clients16, addedMs, ratioToBare, targets }: Summary): string {
  const rows = [...VARIANTS.map((name) => rowOf(name, 1, clients1[name])), ...VARIANTS.map((name) => rowOf(name, 16, clients16[name]))];
  const verdict = (met: boolean) => (met ? "met" : "NOT met");
  return [
    "| variant | clients | runs/s | p50 ms | p95 ms |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    `Added to bare at 1 client: engine ${addedMs.engine} ms, HTTP ${addedMs.http} ms (target: at most ${MAX_ADDED_MS} ms, ${verdict(targets.addedMs)})`,
    `Throughput relative to bare at 16 clients: engine ${percent(ratioToBare.engine)}, HTTP ${percent(ratioToBare.http)} (target: at least ${percent(MIN_RATIO)}, ${verdict(targets.ratioToBare)})`,
    `Throughput on PostgreSQL relative to bare there at 16 clients: HTTP ${percent(ratioToBare.httpPostgres)} (target: at least ${percent(MIN_RATIO_POSTGRES)}, ${verdict(targets.ratioToBarePostgres)})`,
    "",
  ].join("\n");
}

function bareOf(name: VariantName): VariantName {
  return name.endsWith("-postgres") ? "bare-postgres" : "bare";
}

function rowOf(name: VariantName, clients: number, { runsPerSecond, p50Ms, p95Ms }: Figures): string {
  return `| ${name} | ${clients} | ${runsPerSecond} | ${p50Ms} | ${p95Ms} |`;
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
