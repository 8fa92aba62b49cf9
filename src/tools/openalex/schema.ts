import { z } from "zod";

const LocationSchema = z.object({
  landing_page_url: z.string().nullish(),
  pdf_url: z.string().nullish(),
  license: z.string().nullish(),
  source: z.object({ display_name: z.string().nullish() }).nullish(),
  raw_source_name: z.string().nullish(),
});

/** A work of OpenAlex, as far as it is used here. */
export const WorkSchema = z.object({
  id: z.string(),
  doi: z.string().nullish(),
  ids: z.object({ pmid: z.string().nullish() }).nullish(),
  title: z.string().nullish(),
  publication_date: z.string().nullish(),
  publication_year: z.number().nullish(),
  primary_location: LocationSchema.nullish(),
  best_oa_location: LocationSchema.nullish(),
  open_access: z.object({ is_oa: z.boolean().nullish(), oa_url: z.string().nullish() }).nullish(),
  authorships: z
    .array(z.object({ raw_author_name: z.string().nullish(), author: z.object({ display_name: z.string().nullish() }).nullish() }))
    .nullish(),
  is_retracted: z.boolean().nullish(),
  /** The places of each word, from 0. */
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
});
export type Work = z.infer<typeof WorkSchema>;

/** What `select` has to name for `WorkSchema`. */
export const WORK_FIELDS = Object.keys(WorkSchema.shape);

export const WorksAnswerSchema = z.object({ results: z.array(z.unknown()) });
