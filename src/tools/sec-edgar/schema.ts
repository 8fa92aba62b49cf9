import { z } from "zod";
import { CikSchema } from "./cik.ts";

const text = z.string().nullish();

/** company_tickers.json: an object with a number for each key, the largest companies first. */
export const TickersSchema = z.record(z.string(), z.unknown());
export const TickerSchema = z.object({ cik_str: CikSchema, ticker: z.string(), title: z.string() });

/** A list of filings, a column for each property. Older pages of it are bare, the newest stands in `filings.recent`. */
export const FilingColumnsSchema = z.object({
  accessionNumber: z.array(z.string()),
  filingDate: z.array(z.string()),
  reportDate: z.array(text),
  form: z.array(z.string()),
  primaryDocument: z.array(text),
  primaryDocDescription: z.array(text).nullish(),
  items: z.array(text).nullish(),
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

/** data.sec.gov/submissions: who a company is and what it filed. */
export const SubmissionsSchema = z.object({
  cik: CikSchema,
  name: z.string(),
  sic: text,
  sicDescription: text,
  category: text,
  entityType: text,
  tickers: z.array(z.string().nullable()).nullish(),
  exchanges: z.array(z.string().nullable()).nullish(),
  fiscalYearEnd: text,
  stateOfIncorporationDescription: text,
  stateOfIncorporation: text,
  website: text,
  phone: text,
  addresses: z.object({ business: AddressSchema.nullish() }).nullish(),
  formerNames: z.array(z.object({ name: z.string(), from: text, to: text })).nullish(),
  filings: z.object({ recent: FilingColumnsSchema, files: z.array(OlderPageSchema).nullish() }),
});
export type Submissions = z.infer<typeof SubmissionsSchema>;

/** One value as a filing gave it; without `start` it is of one day. `fy` and `fp` are of the filing, not of the value. */
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

/** All facts of a company, by taxonomy and tag; only what is asked for is looked at closely. */
export const CompanyFactsSchema = z.object({
  cik: CikSchema,
  entityName: z.string(),
  facts: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** One concept of one company. */
export const CompanyConceptSchema = ConceptSchema.extend({ cik: CikSchema, entityName: z.string(), taxonomy: z.string(), tag: z.string() });

export const FramePointSchema = z.object({
  accn: z.string(),
  cik: CikSchema,
  entityName: z.string(),
  start: text,
  end: z.string(),
  val: z.number(),
});
export type FramePoint = z.infer<typeof FramePointSchema>;

/** One concept of all companies for one period. */
export const FrameSchema = z.object({
  taxonomy: z.string(),
  tag: z.string(),
  ccp: z.string(),
  uom: z.string(),
  label: text,
  pts: z.number(),
  data: z.array(z.unknown()),
});

/** What Elasticsearch says, passed on as it is. */
export const SearchAnswerSchema = z.object({
  hits: z.object({ total: z.object({ value: z.number(), relation: text }), hits: z.array(z.unknown()) }),
});

export const SearchHitSchema = z.object({
  /** `accession:filename` */
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
export type SearchHit = z.infer<typeof SearchHitSchema>;
