// Measures planned research without a model: npm run -s eval:research [-- --data DIR] [--graph NAME].
// DIR holds a folder `corpus` and a file `questions.jsonl`, each line {question, kind, answers}.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readQuestions } from "./research/questions.ts";
import { type Answered, runQuestions } from "./research/run-questions.ts";

const DEFAULT_DATA = "test/fixtures/research";
/** A report is well borne out by so many passages of so many documents. */
const PASSAGES = 3;
const DOCUMENTS = 2;

function summarise(answered: readonly Answered[]): Record<string, number> {
  const sum = (count: (one: Answered) => number): number => answered.reduce((total, one) => total + count(one), 0);
  return {
    questions: answered.length,
    failed: answered.filter(({ status }) => status !== "succeeded").length,
    wellCited: answered.filter(({ citations, documents }) => citations >= PASSAGES && documents >= DOCUMENTS).length,
    fullyQuoted: answered.filter(({ quoted, expected }) => quoted === expected).length,
    todos: sum(({ todos }) => todos),
    completed: sum(({ completed }) => completed),
    citations: sum(({ citations }) => citations),
    broken: sum(({ broken }) => broken),
    ms: sum(({ ms }) => ms),
  };
}

function table(answered: readonly Answered[]): string {
  const rows = answered.map((one) => [
    one.question.replaceAll("|", "/"),
    one.kind,
    `${(one.ms / 1_000).toFixed(2)} s`,
    `${one.completed} of ${one.todos}`,
    one.rounds,
    one.citations,
    one.documents,
    `${one.quoted} of ${one.expected}`,
    one.termination,
  ]);
  const head = ["question", "kind", "time", "todos", "rounds", "citations", "documents", "expected words quoted", "termination"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

try {
  const { values } = parseArgs({
    options: { data: { type: "string", default: DEFAULT_DATA }, graph: { type: "string", default: "research" } },
  });
  const questions = await readQuestions(join(values.data, "questions.jsonl"));
  const answered = await runQuestions(questions, join(values.data, "corpus"), values.graph);
  console.log(JSON.stringify(summarise(answered)));
  console.log(table(answered));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
