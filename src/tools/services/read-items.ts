import type { z } from "zod";
import { DossierError } from "../../errors.ts";

/**
 * The items of an answer that are of the schema's shape: an odd one loses nobody but itself.
 * @throws DossierError `unreadable` where there are items and none of them can be read
 */
export function readItems<T>(service: string, schema: z.ZodType<T>, items: readonly unknown[]): T[] {
  const parsed = items.map((item) => schema.safeParse(item));
  const good = parsed.flatMap((one) => (one.success ? [one.data] : []));
  if (good.length > 0 || items.length === 0) return good;
  const issue = parsed[0]?.error?.issues[0];
  const place = issue === undefined ? "" : ` (the first: ${issue.path.join(".") || "the item"}: ${issue.message})`;
  throw new DossierError("unreadable", `${service} answered with ${items.length} items, none of a known form${place}.`);
}
