import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const TermsSchema = z.object({ days: z.number().nullable(), maxBytes: z.number().nullable() });
type Terms = z.infer<typeof TermsSchema>;

/** The file of a data folder that says by which settings data was deleted last. Where it cannot be read, the settings are new. */
export function openRetentionTerms(dataDir: string) {
  const file = join(dataDir, "retention.json");
  const known = (): Terms | null => {
    try {
      return TermsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      return null;
    }
  };
  return {
    known,
    /** On a full disk they are not kept, and are new again at the next start. */
    keep(terms: Terms): void {
      const before = known();
      if (before?.days === terms.days && before.maxBytes === terms.maxBytes) return;
      try {
        writeFileSync(file, JSON.stringify(terms), { mode: 0o600 });
      } catch {}
    },
  };
}
