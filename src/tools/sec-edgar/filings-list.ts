import type { CallContext } from "../../domain/ports/sources.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { olderPageUrl } from "./addresses.ts";
import { type FilingColumns, FilingColumnsSchema, type OlderPage, type Submissions } from "./schema.ts";

/** One filing of a company. Dates are `YYYY-MM-DD`. */
export interface Filing {
  readonly accession: string;
  readonly form: string;
  readonly filedAt: string;
  /** The end of the period it reports on, where it reports on one. */
  readonly periodEnd: string | null;
  readonly document: string | null;
  readonly description: string | null;
}

export interface FilingFilter {
  readonly form?: string | undefined;
  readonly years?: readonly number[] | undefined;
}

/** Each page has up to some thousand filings. */
const MAX_OLDER_PAGES = 3;
/** Reports of insiders, which are the most of many companies' filings. */
const OWNERSHIP = /^(?:3|4|5|144)(?:\/A)?$/;

/** The filings that the filter names, newest first; older pages of the list are fetched where it reaches back so far. */
export async function listFilings(
  { filings: { recent, files } }: Submissions,
  filter: FilingFilter,
  client: ServiceClient,
  context: CallContext,
): Promise<Filing[]> {
  const fits = (filing: Filing): boolean => fitsForm(filing, filter.form) && fitsYears(filing, filter.years);
  const found = rowsOf(recent).filter(fits);
  const older = (files ?? []).filter((page) => (filter.years === undefined ? found.length === 0 : mayHold(page, filter.years)));
  for (const { name } of older.slice(0, MAX_OLDER_PAGES)) {
    found.push(...rowsOf(await client.json(FilingColumnsSchema, olderPageUrl(name), context)).filter(fits));
  }
  return found.sort((a, b) => b.filedAt.localeCompare(a.filedAt));
}

function rowsOf(columns: FilingColumns): Filing[] {
  return columns.accessionNumber.flatMap((accession, i): Filing[] => {
    const [form, filedAt] = [columns.form[i], columns.filingDate[i]];
    if (form === undefined || filedAt === undefined) return [];
    return [
      {
        accession,
        form,
        filedAt,
        periodEnd: columns.reportDate[i] || null,
        document: columns.primaryDocument[i] || null,
        description: columns.primaryDocDescription?.[i] || null,
      },
    ];
  });
}

function fitsForm({ form }: Filing, wanted: string | undefined): boolean {
  if (wanted === undefined) return !OWNERSHIP.test(form);
  return [wanted, `${wanted}/A`].some((one) => one.toUpperCase() === form.toUpperCase());
}

/** A report on a year is often filed in the next. */
function fitsYears({ filedAt, periodEnd }: Filing, years: readonly number[] | undefined): boolean {
  return years === undefined || years.includes(yearOf(periodEnd ?? filedAt)) || years.includes(yearOf(filedAt));
}

function mayHold({ filingFrom, filingTo }: OlderPage, years: readonly number[]): boolean {
  return years.some((year) => year + 1 >= yearOf(filingFrom) && year <= yearOf(filingTo));
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}
