import { expect, it } from "vitest";
import { answerOf, askInventor, CASES, expectHonest, expectMarked, PRINT_FORMATS } from "./invented-evidence.ts";

it.each(CASES)("no invention of a model is in a PDF or DOCX: $question", async (invention) => {
  const asked = await askInventor(invention, {}, [answerOf(invention)]);
  expect(asked.run.report?.coverage.struck).toBeGreaterThan(0);
  await expectHonest(asked, invention, PRINT_FORMATS);
});

it.each(CASES)("kept by setting, an invention is marked there: $question", async (invention) => {
  await expectMarked(await askInventor(invention, { UNSUPPORTED_SENTENCES: "show" }, [answerOf(invention)]), invention, PRINT_FORMATS);
});
