import { z } from "zod";

const DatePartsSchema = z.object({ "date-parts": z.array(z.array(z.number().nullable())).nullish() });
const AuthorSchema = z.object({
  given: z.string().nullish(),
  family: z.string().nullish(),
  suffix: z.string().nullish(),
  /** Of a group. */
  name: z.string().nullish(),
});

/** A work of the Crossref REST API, as far as it is used here. */
export const WorkSchema = z.object({
  DOI: z.string(),
  title: z.array(z.string()).nullish(),
  subtitle: z.array(z.string()).nullish(),
  abstract: z.string().nullish(),
  author: z.array(AuthorSchema).nullish(),
  "container-title": z.array(z.string()).nullish(),
  /** Where a preprint names its server. */
  "group-title": z.string().nullish(),
  publisher: z.string().nullish(),
  issued: DatePartsSchema.nullish(),
  published: DatePartsSchema.nullish(),
  license: z.array(z.object({ URL: z.string(), "content-version": z.string().nullish() })).nullish(),
  link: z.array(z.object({ URL: z.string(), "content-type": z.string().nullish() })).nullish(),
  /** What other records say about this one; a retraction is a record of its own. */
  "updated-by": z.array(z.object({ type: z.string() })).nullish(),
  /** What this record says about others. */
  "update-to": z.array(z.object({ type: z.string() })).nullish(),
});
export type Work = z.infer<typeof WorkSchema>;

/**
 * What `select` has to name for `WorkSchema`. The service refuses a list with any other name than those of its own list,
 * which it sends with that refusal; these were all on it in October 2026.
 */
export const WORK_FIELDS = Object.keys(WorkSchema.shape);

export const WorksAnswerSchema = z.object({ message: z.object({ items: z.array(z.unknown()) }) });
