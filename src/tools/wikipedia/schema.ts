import { z } from "zod";

/** A page as `list=search` and `generator=search` describe it, each in fields of its own. */
export const PageSchema = z.object({
  title: z.string().min(1),
  /** There, with any value, on a page that does not exist. */
  missing: z.unknown().optional(),
  /** The place among the results; pages of a generator come in another order. */
  index: z.number().nullish(),
  extract: z.string().nullish(),
  revisions: z.array(z.object({ timestamp: z.string().nullish() })).nullish(),
  snippet: z.string().nullish(),
  timestamp: z.string().nullish(),
});
export type Page = z.infer<typeof PageSchema>;

/** Pages are an array in format version 2, an object by id in version 1; without any, `query` may be left out. */
export const QueryAnswerSchema = z
  .object({
    batchcomplete: z.unknown().optional(),
    query: z
      .object({
        search: z.array(z.unknown()).nullish(),
        pages: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish(),
      })
      .nullish(),
  })
  .refine(
    ({ batchcomplete, query }) => batchcomplete !== undefined || query?.search || query?.pages,
    "neither a result nor the end of one",
  );

/** Errors have status 200 and this instead of results. */
export const ErrorAnswerSchema = z.object({
  error: z.object({ code: z.string(), info: z.string().nullish() }),
});
