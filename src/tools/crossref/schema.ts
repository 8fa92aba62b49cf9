import { z } from "zod";

const DatePartsSchema = z.object({ "date-parts": z.array(z.array(z.number().nullable())) });
const AuthorSchema = z.object({ given: z.string().nullish(), family: z.string().nullish(), name: z.string().nullish() });

/** A work of the Crossref REST API, as far as it is used here. */
export const WorkSchema = z.object({
  DOI: z.string(),
  title: z.array(z.string()).nullish(),
  subtitle: z.array(z.string()).nullish(),
  abstract: z.string().nullish(),
  author: z.array(AuthorSchema).nullish(),
  "container-title": z.array(z.string()).nullish(),
  issued: DatePartsSchema.nullish(),
  published: DatePartsSchema.nullish(),
  license: z.array(z.object({ URL: z.string() })).nullish(),
  /** What other records say about this one; a retraction is a record of its own. */
  "updated-by": z.array(z.object({ type: z.string() })).nullish(),
});
export type Work = z.infer<typeof WorkSchema>;

export const WorksAnswerSchema = z.object({ message: z.object({ items: z.array(WorkSchema) }) });
