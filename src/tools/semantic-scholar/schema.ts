import { z } from "zod";

/** A paper of the Academic Graph, as far as it is used here. */
export const PaperSchema = z.object({
  paperId: z.string(),
  title: z.string().nullish(),
  abstract: z.string().nullish(),
  authors: z.array(z.object({ name: z.string().nullish() })).nullish(),
  year: z.number().nullish(),
  publicationDate: z.string().nullish(),
  venue: z.string().nullish(),
  externalIds: z.object({ DOI: z.string().nullish(), ArXiv: z.string().nullish(), PubMed: z.string().nullish() }).nullish(),
  /** `url` is empty where no open copy is known. */
  openAccessPdf: z.object({ url: z.string().nullish(), license: z.string().nullish() }).nullish(),
});
export type Paper = z.infer<typeof PaperSchema>;

/** What `fields` has to name for `PaperSchema`. */
export const PAPER_FIELDS = Object.keys(PaperSchema.shape);

/** Without a hit there is no `data`. */
export const SearchAnswerSchema = z.object({ total: z.number().nullish(), data: z.array(z.unknown()).nullish() });
