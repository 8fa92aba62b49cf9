import { z } from "zod";

/** A Central Index Key in any of its spellings: a number, a string with or without leading zeros, `CIK0000320193`. */
export const CikSchema = z.union([z.number(), z.string()]).transform((value, context) => {
  const cik = readCik(String(value));
  if (cik !== null) return cik;
  context.addIssue({ code: "custom", message: "no CIK" });
  return z.NEVER;
});

/** The number of a CIK, or null for what is none. */
export function readCik(text: string): number | null {
  const digits = /^(?:CIK)?[\s:#-]*(\d{1,10})$/i.exec(text.trim())?.[1];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}

/** Ten digits, as the addresses of data.sec.gov have it. */
export function paddedCik(cik: number): string {
  return String(cik).padStart(10, "0");
}
