import { describe, expect, it } from "vitest";
import { DossierError } from "../../../src/errors.ts";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import { seeded } from "../../helpers/seeded.ts";
import { below, PROGRAM, randomBundle } from "./random-bundle.ts";
import { CHANGES, reformat } from "./random-changes.ts";

const REPORTS = 500;
const faultsOf = (text: string | Uint8Array, program = PROGRAM): readonly string[] => verifyBundle(Buffer.from(text), program).faults;
const names = Object.keys(CHANGES);

describe(`${REPORTS} random reports`, () => {
  it("verify as they were written, and however their JSON is written", async () => {
    for (let seed = 1; seed <= REPORTS; seed++) {
      const text = await randomBundle(seed);
      const random = seeded(-seed);
      expect([seed, faultsOf(text), verifyBundle(Buffer.from(text), PROGRAM).renderedAgain]).toEqual([seed, [], true]);
      expect([seed, faultsOf(reformat(JSON.parse(text), random))]).toEqual([seed, []]);
    }
  });

  it("do not verify with one thing changed, and the change is named, also by a program of another version", async () => {
    const changed = new Set<string>();
    for (let seed = 1; seed <= REPORTS; seed++) {
      const bundle = JSON.parse(await randomBundle(seed));
      const random = seeded(seed * 7919);
      const what = names[seed % names.length] ?? "";
      changed.add(what);
      const named = CHANGES[what]?.(bundle, random);
      for (const program of [PROGRAM, "dossier 9.9.9"]) {
        const faults = faultsOf(reformat(bundle, random), program);
        const isNamed = faults.some((fault) => new RegExp(`^${named}(?: \\(.{13}\\))?: `).test(fault));
        expect([seed, what, isNamed, faults]).toEqual([seed, what, true, faults]);
        expect(faults).toContain("digest: the bundle as a whole does not match it");
      }
    }
    expect([...changed].toSorted()).toEqual(names.toSorted());
  });

  it("never verify with one bit of the file changed", async () => {
    for (let seed = 1; seed <= REPORTS; seed++) {
      const bytes = Buffer.from(await randomBundle(seed));
      const random = seeded(seed * 104729);
      const at = below(random, bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8));
      let outcome: unknown;
      try {
        outcome = faultsOf(bytes).length > 0;
      } catch (error) {
        outcome = error instanceof DossierError && error.code === "bundle_invalid";
      }
      expect([seed, at, outcome]).toEqual([seed, at, true]);
    }
  });
});
