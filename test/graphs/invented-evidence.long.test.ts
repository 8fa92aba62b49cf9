import { expect, it } from "vitest";
import { answerOf, askInventor, CASES, expectHonest, PRINT_FORMATS } from "./invented-evidence.ts";

it.each(CASES)("no invented address of a model is in a PDF or DOCX: $question", async (invention) => {
  const asked = await askInventor(invention, {}, [answerOf(invention)]);
  expect(asked.run.report?.coverage.struck).toBeGreaterThan(0);
  await expectHonest(asked, invention, PRINT_FORMATS);
});
