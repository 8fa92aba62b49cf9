import { expect, it } from "vitest";
import { type Todo, TodoSchema } from "../../../src/domain/plan.ts";
import type { Citation, DraftClaim } from "../../../src/domain/report.ts";
import type { TodoWork } from "../../../src/nodes/research/state.ts";
import { assignCitations } from "../../../src/nodes/research/summarize.ts";
import { QUOTED } from "../../helpers/claims.ts";

const PIER = "The pier was built in 1911.";
const LAMP = "灯由陈明看守。";
const WOOD = "It is made of oak.";
const cited = (id: number, quote: string): Citation => ({ id, sourceId: "s", contentHash: "h", start: id * 100, end: id * 100 + 9, quote });
const claim = (id: number, text: string, section = ""): DraftClaim => ({
  text,
  citations: [id],
  ...QUOTED,
  section,
});

function ended(id: string, description: string, result: string | null): Todo {
  const how = { status: "completed", planRound: 1, rounds: 1, answeredBy: "execution", feedback: null, ms: 1, path: `todo:${id}` };
  return TodoSchema.parse({ id, description, result, ...how });
}
const workOf = (todo: Todo, citations: Citation[]): TodoWork => ({
  ...{ todo, hits: [], ranked: [], read: [], ledger: [], spent: null },
  findings: { claims: [], citations, reason: null },
});
const numbers = (todos: Todo[]) => todos.map(({ citations }) => citations);

const ALL = [cited(1, PIER), cited(2, LAMP), cited(3, WOOD)];
const WHEN = "When was the pier built?";
const WHO = "谁看守灯？";

it("assigns a passage that several todos found to the one whose result it is, or whose words it contains", () => {
  const todos = [ended("A", WHEN, PIER), ended("乙", WHO, LAMP)];
  const works = todos.map((todo) => workOf(todo, ALL));
  const claims = [claim(1, PIER, WHEN), claim(2, LAMP, WHEN), claim(3, WOOD, WHEN)];
  expect(numbers(assignCitations(todos, works, { claims, citations: ALL }))).toEqual([[1, 3], [2]]);
});

it("assigns it to all of them if nothing decides, and a passage of only one todo to that one", () => {
  const todos = [ended("A", WHEN, "It was found."), ended("乙", WHO, null), ended("C", "What is oak?", null)];
  const works = [workOf(todos[0]!, ALL.slice(0, 2)), workOf(todos[1]!, ALL.slice(1))];
  const claims = [claim(1, PIER), claim(2, LAMP), claim(3, WOOD)];
  expect(numbers(assignCitations(todos, works, { claims, citations: ALL }))).toEqual([[1, 2], [2, 3], []]);
});
