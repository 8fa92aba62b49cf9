import { expect, it } from "vitest";
import { PROGRAM } from "../../src/compose/process.ts";
import type { Analyst, Draft, Reading, WritingView } from "../../src/domain/ports/analyst.ts";
import type { Passage } from "../../src/domain/report.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";

const QUESTION = "Where does the keeper of the lighthouse of Aldermoor live?";

function passageOf({ hit, document: { contentHash, text } }: Reading, start: number, end: number): Passage {
  return { sourceId: hit.id, contentHash, start, end, quote: text.slice(start, end) };
}

/** Calls no tool and writes the draft that `draft` returns for the readings. */
function writing(draft: (view: WritingView) => Partial<Draft>): Analyst {
  return {
    name: "closest",
    decide: async () => ({ calls: [], reason: "nothing to call" }),
    write: async (view) => ({ claims: [], citations: [], reason: "No passage says where.", ...draft(view) }),
  };
}

const first = ([reading]: readonly Reading[]): Reading => {
  if (reading === undefined) throw new Error("Nothing was read.");
  return reading;
};

it("a run without an answer shows the verified passages, at most five, best first, and no claims", async () => {
  const analyst = writing(({ readings }) => {
    const right = Array.from({ length: 6 }, (_, index) => passageOf(first(readings), index, index + 20));
    const [best] = right;
    return {
      closest: best === undefined ? [] : [{ ...best, quote: `${best.quote}!` }, { ...best, contentHash: "f".repeat(64) }, ...right],
    };
  });
  const dossier = await openDossier({ parts: { analyst } });
  const { id } = await dossier.start({ question: QUESTION });
  const { report, termination } = await dossier.finish(id);
  expect(termination).toEqual({ reason: "no_answer", node: "summarize", detail: "No passage says where." });
  expect(report).toMatchObject({ claims: [], citations: [], coverage: { sentences: 0, supported: 0, unsupported: 0 } });
  expect(report?.closest.map(({ start, end }) => [start, end])).toEqual([
    [0, 20],
    [1, 21],
    [2, 22],
    [3, 23],
    [4, 24],
  ]);
  expect(report?.markdown).toContain(
    "\n\nNo passage says where.\n\nSearched: corpus (2 found). Read: 2 documents.\n\nWhat to try: other words, or the language of the sources; more files, addresses or sources; a longer time.\n\n## Closest passages (may not answer this)\n\n> “",
  );
  expect(report?.markdown).not.toContain("[1]");

  const [passage] = report?.closest ?? [];
  expect(report?.sources.find((source) => source.id === passage?.sourceId)).toMatchObject({ contentHash: passage?.contentHash });
  const { text } = await dossier.runs.document(TENANT, id, passage?.contentHash ?? "");
  expect(text.slice(passage?.start, passage?.end)).toBe(passage?.quote);

  const bundle = (await Array.fromAsync(dossier.runs.bundle(TENANT, id))).join("");
  expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], closest: 5, documents: 1 });
  const recording = await readRecording(await dossier.recordingLines(id));
  expect(recording.run.report).toEqual(report);
  expect(recording.documents.map(({ contentHash }) => contentHash)).toContain(passage?.contentHash);

  await dossier.runs.delete(TENANT, id);
  await expect(dossier.runs.document(TENANT, id, passage?.contentHash ?? "")).rejects.toMatchObject({ code: "not_found" });
});
