import { z } from "zod";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { type AnswerCheck, createServiceClient } from "../shared/service-client.ts";

/** EDGAR allows 10 requests a second to clients that send a contact address: https://www.sec.gov/os/accessing-edgar-data. */
export const SEC_EDGAR: Endpoint = {
  id: "sec_edgar",
  owner: "sec_edgar_search",
  hosts: ["www.sec.gov", "data.sec.gov", "efts.sec.gov"],
  rate: { requests: 10, perMs: 1_000, concurrent: 4 },
};

export interface Edgar {
  json<T>(schema: z.ZodType<T>, url: string | URL): Promise<T>;
  jsonOrNull<T>(schema: z.ZodType<T>, url: string): Promise<T | null>;
  text(url: string): Promise<string>;
}

export function createEdgarClient(fetch: HttpFetch, contactEmail: string | undefined): (context: CallContext) => Edgar {
  const hint =
    contactEmail === undefined
      ? "It serves only clients that give a contact address: set CONTACT_EMAIL."
      : "The request named the address in CONTACT_EMAIL; see https://www.sec.gov/os/accessing-edgar-data.";
  const check: AnswerCheck = ({ text }) => pageError(text.slice(0, HEAD_LENGTH), hint);
  const client = createServiceClient(SEC_EDGAR, fetch, { check, statuses: { 403: { hint } } });
  const request = contactEmail === undefined ? {} : { headers: { "user-agent": `Dossier ${contactEmail}` } };
  return (context) => ({
    json: (schema, url) => client.json(schema, url, context, request),
    jsonOrNull: (schema, url) => client.json(schema, url, context, request).catch(nullIfMissing),
    text: (url) => client.text(url, context, request),
  });
}

function nullIfMissing(error: unknown): null {
  if (error instanceof DossierError && error.code === "not_found") return null;
  throw error;
}

const HEAD_LENGTH = 3_000;

/** Error pages can have any status. For a missing file, EDGAR's storage answers `AccessDenied` or `NoSuchKey`. */
function pageError(head: string, hint: string): DossierError | null {
  const code = /^\s*(?:<\?xml[^>]*>)?\s*<Error>\s*<Code>(AccessDenied|NoSuchKey)</.exec(head)?.[1];
  if (code !== undefined) return new DossierError("not_found", `SEC EDGAR has no such file (${code}).`);
  if (/request rate threshold exceeded/i.test(head))
    return new DossierError("rate_limited", "SEC EDGAR blocks this address for ten minutes: too many requests.");
  return /undeclared automated tool/i.test(head) ? new DossierError("blocked", `SEC EDGAR refused the request. ${hint}`) : null;
}

/** Reads a Central Index Key (CIK), the SEC's number of a company: `320193`, `"0000320193"` or `"CIK0000320193"`. */
const CikSchema = z.union([z.number(), z.string()]).transform((value, context) => {
  const cik = readCik(String(value));
  if (cik !== null) return cik;
  context.addIssue({ code: "custom", message: "is not a Central Index Key (CIK): a number of at most ten digits" });
  return z.NEVER;
});

export function readCik(text: string): number | null {
  const digits = /^(?:CIK)?[\s:#-]*(\d{1,10})$/i.exec(text.trim())?.[1];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}

export const paddedCik = (cik: number): string => String(cik).padStart(10, "0");

const DATA = "https://data.sec.gov";
const XBRL = `${DATA}/api/xbrl`;
export const TICKERS_URL = "https://www.sec.gov/files/company_tickers.json";
export const SEARCH_URL = "https://efts.sec.gov/LATEST/search-index";

export const submissionsUrl = (cik: number): string => `${DATA}/submissions/CIK${paddedCik(cik)}.json`;
export const olderPageUrl = (name: string): string => `${DATA}/submissions/${encodeURIComponent(name)}`;
export const companyFactsUrl = (cik: number): string => `${XBRL}/companyfacts/CIK${paddedCik(cik)}.json`;
export const companyConceptUrl = (cik: number, tag: string): string =>
  `${XBRL}/companyconcept/CIK${paddedCik(cik)}/${tag.replace(":", "/")}.json`;
export const frameUrl = (tag: string, unit: string, period: string): string =>
  `${XBRL}/frames/${tag.replace(":", "/")}/${unit.replace("/", "-per-")}/${period}.json`;
export const companyPageUrl = (cik: number): string => `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${paddedCik(cik)}`;

export function documentUrl(cik: number, accession: string, name: string | null): string {
  const path = (name ?? `${accession}-index.htm`).split("/").map(encodeURIComponent).join("/");
  return `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/${path}`;
}

const text = z.string().nullish();

export const TickersSchema = z.record(z.string(), z.unknown());
export const TickerSchema = z.object({ cik_str: CikSchema, ticker: z.string(), title: z.string() });

export const FilingColumnsSchema = z.object({
  accessionNumber: z.array(z.string()),
  filingDate: z.array(z.string()),
  reportDate: z.array(text),
  form: z.array(z.string()),
  primaryDocument: z.array(text),
});
export type FilingColumns = z.infer<typeof FilingColumnsSchema>;

const OlderPageSchema = z.object({ name: z.string(), filingFrom: z.string(), filingTo: z.string() });
export type OlderPage = z.infer<typeof OlderPageSchema>;

const AddressSchema = z.object({
  street1: text,
  street2: text,
  city: text,
  stateOrCountry: text,
  stateOrCountryDescription: text,
  zipCode: text,
});

export const SubmissionsSchema = z.object({
  cik: CikSchema,
  name: z.string(),
  sic: text,
  sicDescription: text,
  category: text,
  tickers: z.array(z.string().nullable()).nullish(),
  exchanges: z.array(z.string().nullable()).nullish(),
  fiscalYearEnd: text,
  stateOfIncorporationDescription: text,
  stateOfIncorporation: text,
  website: text,
  phone: text,
  addresses: z.object({ business: AddressSchema.nullish() }).nullish(),
  formerNames: z.array(z.object({ name: z.string(), to: text })).nullish(),
  filings: z.object({ recent: FilingColumnsSchema, files: z.array(OlderPageSchema).nullish() }),
});
export type Submissions = z.infer<typeof SubmissionsSchema>;

/** A value without `start` belongs to the day `end`. `fy` and `fp` are the fiscal year and period of the filing, not of the value. */
export const FactSchema = z.object({
  start: text,
  end: z.string(),
  val: z.number(),
  accn: z.string(),
  fy: z.number().nullish(),
  fp: text,
  form: text,
  filed: z.string(),
});
export type Fact = z.infer<typeof FactSchema>;

export const ConceptSchema = z.object({ label: text, units: z.record(z.string(), z.array(z.unknown())) });

export const CompanyFactsSchema = z.object({ entityName: z.string(), facts: z.record(z.string(), z.record(z.string(), z.unknown())) });

export const CompanyConceptSchema = ConceptSchema.extend({ entityName: z.string() });

export const FrameSchema = z.object({
  taxonomy: z.string(),
  tag: z.string(),
  ccp: z.string(),
  uom: z.string(),
  label: text,
  data: z.array(z.unknown()),
});

export const FramePointSchema = z.object({
  accn: z.string(),
  cik: CikSchema,
  entityName: z.string(),
  start: text,
  end: z.string(),
  val: z.number(),
});

export const SearchAnswerSchema = z.object({
  hits: z.object({ total: z.object({ value: z.number(), relation: text }), hits: z.array(z.unknown()) }),
});

export const SearchHitSchema = z.object({
  /** `accession:filename`. The filename may contain colons. */
  _id: z.string(),
  _source: z.object({
    ciks: z.array(CikSchema),
    display_names: z.array(z.string()),
    form: text,
    file_type: text,
    file_description: text,
    file_date: z.string(),
    period_ending: text,
  }),
});
