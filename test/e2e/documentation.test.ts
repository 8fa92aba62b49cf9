import { expect, test } from "vitest";
import { PROGRAM } from "../../src/compose/process.ts";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { expectAnswer, useDocumentation } from "./documentation-under-test.ts";

/** Questions of which the documentation has all words but one. They are quoted, and the termination names that word. */
const ONE_WORD_MISSING = [
  ["What is the capital of France?", "France"],
  ["Is there a Slack channel?", "Slack"],
] as const;

const open = useDocumentation();

test("the documentation answers what it covers, and nothing else", async () => {
  const dossier = await open();
  await expectAnswer(dossier, "How does the optional-tool loop end?", "no_progress");
  await expectAnswer(dossier, "可选工具循环怎样结束？", "五种结束方式");
  await expectAnswer(dossier, "How do I cook risotto?", null);
});

test.each(ONE_WORD_MISSING)("%s is quoted, and the word that is missing is named", async (question, missing) => {
  const dossier = await open();
  const { termination } = await dossier.finish((await dossier.start({ question })).id);
  expect(termination).toMatchObject({ reason: "completed", detail: `Not found in any source: “${missing}”.` });
});

test("a run over the documentation can be replayed, and its bundle verifies", async () => {
  const dossier = await open();
  const { id } = await dossier.start({ question: "How does the optional-tool loop end?" });
  await dossier.finish(id);
  expect((await replay(await readRecording(await dossier.recordingLines(id)))).difference).toBeNull();
  const pieces = await Array.fromAsync(dossier.runs.bundle(TENANT, id));
  expect(verifyBundle(Buffer.from(pieces.join("")), PROGRAM)).toMatchObject({ faults: [], renderedAgain: true });
});
