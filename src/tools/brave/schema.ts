import { z } from "zod";
import { FoundAddressSchema } from "../hits/found-address.ts";

/** Without `web` where there are no web results. */
export const SearchAnswerSchema = z.object({
  type: z.literal("search"),
  query: z.object({ more_results_available: z.boolean().nullish() }).nullish(),
  web: z.object({ results: z.array(z.unknown()) }).nullish(),
});

export const ResultSchema = z.object({
  title: z.string(),
  url: FoundAddressSchema,
  description: z.string().nullish(),
  /** `2024-03-27T15:31:02`; the field `age` beside it is made for readers: `2 days ago`. */
  page_age: z.string().nullish(),
});

export const ErrorAnswerSchema = z.object({ error: z.object({ code: z.string(), detail: z.string().nullish() }) });
