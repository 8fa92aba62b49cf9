// Grades the answers of runs without a model: npm run -s eval:answers [-- --data DIR] [--questions FILE] [--half even|odd] [--table].
// DIR holds the collections. Each line of FILE is a question in the form of scripts/answers/questions.ts.
import { parseArgs } from "node:util";
import { askCollection, type Graded } from "./answers/ask-collection.ts";
import { readAnswerQuestions } from "./answers/questions.ts";
import { summarizeGrades } from "./answers/score.ts";

const OPTIONS = {
  data: { type: "string", default: "../shared/data" },
  questions: { type: "string", default: "scripts/answers/questions.jsonl" },
  half: { type: "string" },
  table: { type: "boolean", default: false },
} as const;
const MAX_CELL_LENGTH = 90;

function tableOf(graded: readonly Graded[]): string {
  const cell = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "/").slice(0, MAX_CELL_LENGTH);
  const rows = graded.map(({ question, grade, shown, ms }) =>
    [question.id, question.question, grade, String(shown.length), shown[0]?.document ?? "", shown[0]?.quote ?? "", `${ms} ms`]
      .map(cell)
      .join(" | "),
  );
  return ["id | question | grade | quotes | document | first quote | time", ...rows].map((row) => `| ${row} |`).join("\n");
}

try {
  const { values } = parseArgs({ options: OPTIONS });
  const all = await readAnswerQuestions(values.questions);
  const questions = all.filter((_, i) => values.half === undefined || (i % 2 === 0) === (values.half === "even"));
  const graded: Graded[] = [];
  for (const [name, asked] of Map.groupBy(questions, ({ collection }) => collection))
    graded.push(...(await askCollection(name, values.data, asked)));
  console.log(JSON.stringify(summarizeGrades(graded.map(({ grade }) => grade))));
  if (values.table) console.log(tableOf(graded));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
