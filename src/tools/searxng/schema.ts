import { z } from "zod";
import { FoundAddressSchema } from "../hits/found-address.ts";

/** `number_of_results` may be absent and means little; it is not used. */
export const SearchAnswerSchema = z.object({
  results: z.array(z.unknown()),
  /** Pairs of an engine's name and why it gave nothing. */
  unresponsive_engines: z.array(z.unknown()).nullish(),
});

export const UnresponsiveEngineSchema = z.tuple([z.string(), z.string()]).rest(z.unknown());

export const ResultSchema = z.object({
  title: z.string(),
  url: FoundAddressSchema,
  content: z.string().nullish(),
  /** `2024-03-27T00:00:00`, from the few engines that tell. */
  publishedDate: z.string().nullish(),
});
