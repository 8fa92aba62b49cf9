import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createExtractiveResearch } from "../../../src/analyst/extractive/research/analyst.ts";
import type { PlannedTodo } from "../../../src/domain/plan.ts";
import type { Executed, Findings, Summary } from "../../../src/domain/ports/research-analyst.ts";
import { openDossier, TENANT, type TestDossier } from "../../helpers/open-dossier.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { planningView, todoOf, viewOf } from "./research-views.ts";

const DATA = new URL("../../fixtures/research/", import.meta.url);
const research = createExtractiveResearch();

/** One executor for each todo, one after another, without a graph around them. */
async function answer(dossier: TestDossier, question: string): Promise<{ summary: Summary; executed: Executed[]; hold: boolean }> {
  const effects = plainEffects();
  const executed: Executed[] = [];
  let hold = true;
  for (const todo of (await research.plan(planningView(question), effects)).todos) {
    const { findings, completed, verified, rounds } = await execute(dossier, question, todo);
    executed.push({ todo: todoOf(todo.description, { ...todo, rounds, status: completed ? "completed" : "failed" }), findings });
    hold &&= verified;
  }
  const verdict = await research.verify({ ...viewOf(question), role: "verifier", executed }, effects);
  expect(verdict.allCompleted).toBe(executed.every(({ todo }) => todo.status === "completed"));
  return { summary: await research.summarise({ ...viewOf(question), readings: [], executed }, effects), executed, hold };
}

async function execute(dossier: TestDossier, question: string, todo: PlannedTodo, query = todo.description, round = 1) {
  const run = await dossier.finish((await dossier.start({ question: query, graph: "executor" })).id);
  const { claims = [], citations = [] } = run.report ?? {};
  const findings: Findings = { claims, citations, reason: run.termination?.detail ?? null };
  const verified = await citationsHold(dossier, run.id, findings);
  const view = { ...viewOf(question), todo, round, roundsLeft: 2 - round, findings };
  const { taskCompleted, nextQuery } = await research.assess(view, plainEffects());
  if (nextQuery !== null) return execute(dossier, question, todo, nextQuery, round + 1);
  return { findings, completed: taskCompleted, verified, rounds: round };
}

async function citationsHold({ runs }: TestDossier, runId: string, { citations }: Findings): Promise<boolean> {
  const texts = await Promise.all(citations.map(({ contentHash }) => runs.document(TENANT, runId, contentHash)));
  return citations.every(({ start, end, quote }, i) => texts[i]?.text.slice(start, end) === quote);
}

const openResearch = (): Promise<TestDossier> => openDossier({ environment: { CORPUS_DIR: fileURLToPath(new URL("corpus", DATA)) } });

test("twenty questions are answered by quotes from several documents, half of them in Chinese", { timeout: 60_000 }, async () => {
  const dossier = await openResearch();
  const lines = (await readFile(new URL("questions.jsonl", DATA), "utf8")).trim().split("\n");
  const failing: string[] = [];
  let wellCited = 0;
  for (const line of lines) {
    const { question, answers }: { question: string; answers: string[] } = JSON.parse(line);
    const { summary, executed, hold } = await answer(dossier, question);
    const quoted = answers.every((expected) => summary.citations.some(({ quote }) => quote.includes(expected)));
    if (!quoted || !hold || executed.some(({ todo }) => todo.status !== "completed")) failing.push(question);
    const documents = new Set(summary.citations.map(({ contentHash }) => contentHash)).size;
    if (summary.citations.length >= 3 && documents >= 2) wellCited++;
  }
  expect(lines).toHaveLength(20);
  expect(failing).toEqual([]);
  expect(wellCited).toBeGreaterThanOrEqual(16);
});

test.each([
  ["Who founded Tolmere Shipyards and what is its share price?", ["What is Tolmere Shipyards' share price?"]],
  ["When was the Harrow Bridge opened and who painted it?", ["Who painted the Harrow Bridge?"]],
  ["What is the population of Tolmere and Narrow Sands?", ["What is the population of Narrow Sands?"]],
  ["雾川大桥是谁设计的，造价是多少？", ["雾川大桥的造价是多少？"]],
  ["雾川地铁和东山地铁分别是哪一年开通的？", ["东山地铁是哪一年开通的？"]],
])("of “%s” what the corpus does not tell is named", { timeout: 20_000 }, async (question, open) => {
  const { summary, executed } = await answer(await openResearch(), question);
  expect(executed.filter(({ todo }) => todo.status === "failed").map(({ todo }) => todo.description)).toEqual(open);
  expect(summary.unanswered.map((sentence) => open.some((one) => sentence.startsWith(one)))).toEqual([true]);
  expect(summary.claims.length).toBeGreaterThan(0);
});
