import type { z } from "zod";
import { DossierError } from "../../errors.ts";

/**
 * Those of an answer's items that are of the schema's shape: one odd item does not lose the others.
 * @throws DossierError `unreadable` when there are items and none of them can be read
 */
export function readItems<T>(service: string, schema: z.ZodType<T>, items: readonly unknown[]): T[] {
  const parsed = items.map((item) => schema.safeParse(item));
  const read = parsed.flatMap((one) => (one.success ? [one.data] : []));
  if (read.length > 0 || items.length === 0) return read;
  const places = parsed[0]?.error?.issues.map(({ path, message }) => `${path.join(".") || "the item"}: ${message}`) ?? [];
  throw new DossierError("unreadable", `${service} answered with items of an unknown form (${places.slice(0, 3).join("; ")}).`);
}
