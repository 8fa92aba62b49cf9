import { z } from "zod";
import { SourceSchema } from "./report.ts";

/**
 * A place that a search or a tool found. `id` is derived from the address, so that one address found twice is one hit.
 * `contentHash` is set where the content came with the hit.
 */
export const HitSchema = SourceSchema.pick({
  id: true,
  kind: true,
  title: true,
  url: true,
  publishedAt: true,
  foundBy: true,
  contentHash: true,
}).extend({
  snippet: z.string(),
});
export type Hit = z.infer<typeof HitSchema>;

export const RankedHitSchema = HitSchema.extend({ score: z.number() });
export type RankedHit = z.infer<typeof RankedHitSchema>;
