import { z } from "zod";
import { linesOf, parseAs, readText } from "../retrieval/text-file.ts";

/** A quote meets it that is of one of the documents and holds one of the words; what is left out does not matter. */
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
  /** What an answer has to quote, one matcher for each thing; empty where the collection has no answer. */
  expect: z.array(MatcherSchema),
});
export type AnswerQuestion = z.infer<typeof AnswerQuestionSchema>;

/** The questions of a file of JSON lines. @throws Error that names the line */
export async function readAnswerQuestions(path: string): Promise<AnswerQuestion[]> {
  return linesOf(await readText(path)).map(({ line, number }) =>
    parseAs(AnswerQuestionSchema, line, `${path}:${number}`, "a question with what its answer has to quote"),
  );
}
