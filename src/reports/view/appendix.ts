import type { Citation, ReportContent } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { ledgerRows } from "./ledger-rows.ts";
import { modelRows, type RunFacts, receiptRows } from "./receipt.ts";
import type { AppendixPart } from "./report-view.ts";
import { struckRows } from "./support-view.ts";

const MAX_LEDGER_ROWS = 50;
const MAX_LEDGER_ROWS_IN_FILE = 500;

/** @param facts null while the run is in progress */
export function appendixOf(content: ReportContent, facts: RunFacts | null, labels: Labels): AppendixPart[] {
  const parts = [searchLog(content, facts === null ? MAX_LEDGER_ROWS : MAX_LEDGER_ROWS_IN_FILE, labels)];
  // Later questions of a thread may get the Markdown of a run, and should not get what is false.
  if (facts !== null) parts.push(leftOut(content, labels), places(content, labels), receipt(facts, labels));
  return parts.filter(({ tables, lines }) => tables.length + lines.length > 0);
}

function searchLog({ ledger }: ReportContent, max: number, labels: Labels): AppendixPart {
  const tried = ledger.filter(({ what }) => what !== "file");
  const { rows, leftOut } = ledgerRows(tried, max, labels);
  const table = { head: labels.ledgerHead, rows, shares: [0.12, 0.53, 0.35], numbers: [] };
  return { title: labels.ledger, tables: rows.length === 0 ? [] : [table], lines: leftOut > 0 ? [labels.more(leftOut)] : [] };
}

function leftOut({ struck }: ReportContent, labels: Labels): AppendixPart {
  const { support } = labels;
  const table = { head: support.struckHead, rows: struckRows(struck, labels), shares: [0.6, 0.4], numbers: [] };
  return { title: support.struck, tables: struck.length === 0 ? [] : [table], lines: [] };
}

const HASH_DIGITS = 12;

type Placed = Pick<Citation, "contentHash" | "start" | "end"> & { readonly id?: number };

/** Says where the quotes stand: the first digits of the hash of each text, then offsets in UTF-16 code units. */
function places({ claims, citations, closest }: ReportContent, labels: Labels): AppendixPart {
  const passages: readonly Placed[] = claims.length > 0 ? citations : closest;
  const lines = [...Map.groupBy(passages, ({ contentHash }) => contentHash)].map(([hash, members]) => {
    const spans = members.map(({ id, start, end }) => `${id === undefined ? "" : `[${id}] `}${start}–${end}`);
    return `${hash.replace(/[^0-9a-f]/g, "").slice(0, HASH_DIGITS)}: ${spans.join(", ")}`;
  });
  return { title: labels.places, tables: [], lines: lines.length === 0 ? [] : [labels.placesNote, ...lines] };
}

function receipt(facts: RunFacts, labels: Labels): AppendixPart {
  const models = modelRows(facts);
  const byModel = { head: labels.modelsHead, rows: models, shares: [0.3, 0.1, 0.15, 0.15, 0.15, 0.15], numbers: [1, 2, 3, 4, 5] };
  const table = { head: [], rows: receiptRows(facts, labels), shares: [0.25, 0.75], numbers: [] };
  return { title: labels.receipt, tables: models.length === 0 ? [table] : [table, byModel], lines: [] };
}
