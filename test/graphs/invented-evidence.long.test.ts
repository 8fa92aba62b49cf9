import { expect, it } from "vitest";
import { answerOf, askInventor, CASES, expectHonest, expectMarked, PRINT_FORMATS } from "./invented-evidence.ts";

it.each(CASES)("nothing that a model invents stands in a PDF or in a document for Word: $question", async (invention) => {
  const asked = await askInventor(invention, {}, [answerOf(invention)]);
  expect(asked.run.report?.coverage.struck).toBeGreaterThan(0);
  await expectHonest(asked, invention, PRINT_FORMATS);
});

it.each(CASES)("shown by setting, it is marked there: $question", async (invention) => {
  await expectMarked(await askInventor(invention, { UNSUPPORTED_SENTENCES: "show" }, [answerOf(invention)]), invention, PRINT_FORMATS);
});
