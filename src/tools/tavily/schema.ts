import { z } from "zod";
import { WebAddressSchema } from "../hits/web-hit.ts";

export const SearchAnswerSchema = z.object({ results: z.array(z.unknown()) });

export const ResultSchema = z.object({
  title: z.string(),
  url: WebAddressSchema,
  content: z.string().nullish(),
  /** Only where the topic is news: `Mon, 05 May 2025 07:00:00 GMT`. */
  published_date: z.string().nullish(),
});
