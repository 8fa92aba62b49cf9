import { computation } from "../../src/domain/computation.ts";

/** Takes a time in proportion to `rounds`. */
export function spin(rounds: number): string {
  let sum = 0;
  for (let i = 0; i < rounds; i += 1) sum = Math.imul(sum ^ i, 0x01000193);
  return Number.isInteger(sum) ? "done" : "";
}

export const SPINNING = computation(import.meta.url, spin, () => 1, 0);
