import type { Run } from "../../domain/run.ts";
import type { Labels } from "../labels.ts";
import { cleanText, shorten } from "../text.ts";
import type { AppendixTable } from "./report-view.ts";

export type RunFacts = Pick<
  Run,
  "id" | "graph" | "createdAt" | "startedAt" | "endedAt" | "termination" | "usage" | "limits" | "lowered"
> & {
  /** Name and version. */
  readonly program: string;
};

const MAX_DETAIL_LENGTH = 300;

/** Returns names with their values: of the run its times, ending and usage. */
export function receiptRows(facts: RunFacts, labels: Labels): (readonly [name: string, value: string])[] {
  const { id, graph, createdAt, startedAt, endedAt, usage, program } = facts;
  const rows: [string, string | null][] = [
    [labels.receiptRows.run, `${id} (${graph})`],
    [labels.receiptRows.asked, instant(createdAt)],
    [labels.receiptRows.started, instant(startedAt)],
    [labels.receiptRows.ended, instant(endedAt)],
    [labels.receiptRows.ending, endingOf(facts, labels)],
    [labels.receiptRows.lowered, loweredOf(facts, labels)],
    [labels.receiptRows.modelCalls, counted(usage.modelCalls)],
    [labels.receiptRows.tokens, `${counted(usage.inputTokens)} + ${counted(usage.outputTokens)}`],
    [labels.receiptRows.cost, dollars(usage.costUsd)],
    [labels.receiptRows.toolCalls, counted(usage.toolCalls)],
    [labels.receiptRows.sourceRequests, counted(usage.sourceRequests)],
    [labels.receiptRows.downloads, counted(usage.downloads)],
    [labels.receiptRows.program, program],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, cleanText(value)] as const]));
}

/** Returns the usage of each model: name, calls, tokens in and out, cost, and how many calls are estimated. */
export function modelRows({ usage }: RunFacts): string[][] {
  return usage.models.map(({ model, calls, inputTokens, outputTokens, costUsd, estimated }) => [
    cleanText(model) || "–",
    ...[calls, inputTokens, outputTokens].map(counted),
    dollars(costUsd),
    counted(estimated),
  ]);
}

/** Returns a table of names and values with two of them in each line, for pages; other tables as they are. */
export function inPairs(table: AppendixTable): AppendixTable {
  const { head, rows } = table;
  const half = Math.ceil(rows.length / 2);
  const paired = rows.slice(0, half).map((row, index) => [...row, ...(rows[index + half] ?? ["", ""])]);
  return head.length > 0 ? table : { ...table, rows: paired, shares: [0.17, 0.36, 0.22, 0.25] };
}

function endingOf({ termination }: RunFacts, { endings, inBrackets }: Labels): string | null {
  if (termination === null) return null;
  const reason = endings[termination.reason] ?? termination.reason.replaceAll("_", " ");
  return termination.detail === null ? reason : `${reason}${inBrackets(shorten(termination.detail, MAX_DETAIL_LENGTH))}`;
}

/** Returns the limits that the settings of the server made lower than the depth asks for, with their values. */
function loweredOf({ lowered = [], limits }: RunFacts, { receiptRows }: Labels): string | null {
  const names: Readonly<Record<string, string>> = { ...receiptRows, tokens: receiptRows.allTokens };
  const values: Readonly<Record<string, number | null>> = { ...limits };
  return lowered.length === 0 ? null : lowered.map((name) => `${names[name] ?? name} ${counted(values[name] ?? 0)}`).join(", ");
}

function counted(count: number): string {
  return count.toLocaleString("en-US");
}

function instant(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 19).replace("T", " ")} UTC`;
}

function dollars(amount: number): string {
  // Four decimals below a dollar, because one model call costs fractions of a cent.
  return `${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)} USD`;
}
