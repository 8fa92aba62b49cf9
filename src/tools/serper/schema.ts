import { z } from "zod";
import { FoundAddressSchema } from "../hits/found-address.ts";

/** `searchParameters` repeats what was asked; `organic` is left out where nothing was found. */
export const SearchAnswerSchema = z.object({
  searchParameters: z.record(z.string(), z.unknown()),
  organic: z.array(z.unknown()).nullish(),
});

export const ResultSchema = z.object({
  title: z.string(),
  link: FoundAddressSchema,
  snippet: z.string().nullish(),
  /** As Google shows it, in the language of the page of results: `Mar 5, 2023`, `2023年3月5日`, `2 days ago`. */
  date: z.string().nullish(),
});
