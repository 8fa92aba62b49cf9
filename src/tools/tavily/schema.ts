import { z } from "zod";
import { FoundAddressSchema } from "../hits/found-address.ts";

export const SearchAnswerSchema = z.object({ results: z.array(z.unknown()) });

export const ResultSchema = z.object({
  title: z.string(),
  url: FoundAddressSchema,
  content: z.string().nullish(),
  /** Only where the topic is news: `Mon, 05 May 2025 07:00:00 GMT`. */
  published_date: z.string().nullish(),
});
