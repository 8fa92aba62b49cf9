import { readFile } from "node:fs/promises";
import { z } from "zod";

const ResearchQuestionSchema = z.object({
  question: z.string().min(1),
  /** What kind of question it is: a comparison, an enumeration, several in one, conditional, plain. */
  kind: z.string().default(""),
  /** Words that a report has to quote. */
  answers: z.array(z.string()).default([]),
});
export type ResearchQuestion = z.infer<typeof ResearchQuestionSchema>;

/** The questions of a file of JSON lines. @throws Error where a line is none */
export async function readQuestions(file: string): Promise<ResearchQuestion[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => ResearchQuestionSchema.parse(JSON.parse(line)));
}
