import { z } from "zod";
import type { CollectionDocument } from "./collection-corpus.ts";
import { parseAs, readText } from "./text-file.ts";

const FileSchema = z.object({
  data: z.array(
    z.object({
      title: z.string().default(""),
      paragraphs: z.array(
        z.object({
          id: z.string(),
          context: z.string(),
          qas: z.array(z.object({ id: z.string(), question: z.string(), answers: z.array(z.object({ text: z.string() })) })),
        }),
      ),
    }),
  ),
});

export interface CmrcQuestion {
  readonly text: string;
  readonly answers: readonly string[];
  /** The id of the passage that answers it. */
  readonly passage: string;
}

/** Reads passages and questions from a file in the format of CMRC 2018 or SQuAD. @throws Error that names the file if it is invalid or has no question */
export async function readCmrc(path: string): Promise<{ passages: CollectionDocument[]; questions: CmrcQuestion[] }> {
  const file = parseAs(FileSchema, await readText(path), path, "a file of CMRC 2018");
  const paragraphs = file.data.flatMap((article) => article.paragraphs.map((paragraph) => ({ ...paragraph, title: article.title })));
  if (paragraphs.every(({ qas }) => qas.length === 0)) throw new Error(`${path} has no questions: there is nothing to measure.`);
  return {
    passages: paragraphs.map(({ id, title, context }) => ({ id, title, text: context })),
    questions: paragraphs.flatMap(({ id, qas }) =>
      qas.map(({ question, answers }) => ({ text: question, answers: answers.map((answer) => answer.text), passage: id })),
    ),
  };
}
