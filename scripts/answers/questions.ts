import { z } from "zod";
import { linesOf, parseAs, readText } from "../retrieval/text-file.ts";

/** Matches a quote that comes from one of `documents` and contains one of `words`. An omitted list matches every quote. */
const MatcherSchema = z.object({
  documents: z.array(z.string().min(1)).optional(),
  words: z.array(z.string().min(1)).optional(),
});
export type Matcher = z.infer<typeof MatcherSchema>;

const AnswerQuestionSchema = z.object({
  id: z.string().min(1),
  collection: z.string().min(1),
  kind: z.string().min(1),
  question: z.string().min(1),
  /** The answer must have a matching quote for each of these. The list is empty if the collection has no answer. */
  expect: z.array(MatcherSchema),
});
export type AnswerQuestion = z.infer<typeof AnswerQuestionSchema>;

/** Reads questions from a file of JSON lines. @throws Error that names the line */
export async function readAnswerQuestions(path: string): Promise<AnswerQuestion[]> {
  return linesOf(await readText(path)).map(({ line, number }) =>
    parseAs(AnswerQuestionSchema, line, `${path}:${number}`, "a question in the form of scripts/answers/questions.ts"),
  );
}
