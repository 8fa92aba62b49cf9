import { z } from "zod";

const AuthorSchema = z.object({
  fullName: z.string().nullish(),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  collectiveName: z.string().nullish(),
});

const FullTextSchema = z.object({
  availabilityCode: z.string().nullish(),
  documentStyle: z.string().nullish(),
  site: z.string().nullish(),
  url: z.string(),
});

/** A record of Europe PMC with `resultType=core`, as far as it is used here. */
export const RecordSchema = z.object({
  id: z.string(),
  /** `MED`, `PMC`, `PPR` for preprints, `PAT` for patents, … */
  source: z.string(),
  pmid: z.string().nullish(),
  doi: z.string().nullish(),
  title: z.string().nullish(),
  authorString: z.string().nullish(),
  authorList: z.object({ author: z.array(AuthorSchema).nullish() }).nullish(),
  journalInfo: z.object({ journal: z.object({ title: z.string().nullish() }).nullish() }).nullish(),
  /** Where preprints and books name their server or publisher. */
  bookOrReportDetails: z.object({ publisher: z.string().nullish() }).nullish(),
  pubYear: z.string().nullish(),
  firstPublicationDate: z.string().nullish(),
  abstractText: z.string().nullish(),
  pubTypeList: z.object({ pubType: z.array(z.string()).nullish() }).nullish(),
  commentCorrectionList: z.object({ commentCorrection: z.array(z.object({ type: z.string().nullish() })).nullish() }).nullish(),
  fullTextUrlList: z.object({ fullTextUrl: z.array(FullTextSchema).nullish() }).nullish(),
  license: z.string().nullish(),
});
export type EuropePmcRecord = z.infer<typeof RecordSchema>;

/** Without `hitCount` an answer is incomplete, which happens with status 200. */
export const SearchAnswerSchema = z.object({
  hitCount: z.number(),
  resultList: z.object({ result: z.array(z.unknown()).nullish() }).nullish(),
});
