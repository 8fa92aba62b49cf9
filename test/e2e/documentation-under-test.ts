import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { makeHome, openDossier, type TestDossier } from "../helpers/open-dossier.ts";

const DOCS = new URL("../../docs", import.meta.url).pathname;

/** Returns what opens the service over the documentation. Its index is made once for all tests of a file; without it a search would wait. */
export function useDocumentation(): () => Promise<TestDossier> {
  let home = "";
  beforeAll(async () => {
    home = await makeHome({});
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
  return async () => {
    const dossier = await openDossier({ dir: home, environment: { CORPUS_DIR: DOCS } });
    await dossier.prepare(new AbortController().signal);
    return dossier;
  };
}

/** Expects a quote that contains `says`, or no answer if it is null. */
export async function expectAnswer(dossier: TestDossier, question: string, says: string | null): Promise<void> {
  const { termination, report } = await dossier.finish((await dossier.start({ question })).id);
  expect([question, termination?.reason]).toEqual([question, says === null ? "no_answer" : "completed"]);
  expect(report?.citations.map(({ quote }) => quote).join("\n") ?? "").toContain(says ?? "");
}
