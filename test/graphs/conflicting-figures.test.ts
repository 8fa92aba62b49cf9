import { expect, it } from "vitest";
import type { ResearchRequest } from "../../src/domain/request.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { type FoundItem, startSearchServices } from "../fakes/search-services.ts";
import { askModel } from "../helpers/with-model.ts";
import { MODELS } from "./research/deep-world.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const QUESTION = "How much slate did the Copycat mine quarry in 2024? 铜猫矿2024年采了多少板岩？";
/** The search tells an earlier date of the first than its page. */
const WEB: readonly FoundItem[] = [
  {
    title: "Copycat mine counted again",
    text: "In 2024 the Copycat mine quarried 620 tonnes of slate, says its new count.",
    date: "2019-05-01",
    pageDate: "2026-02-03",
  },
  { title: "铜猫矿年报", text: "铜猫矿2024年采出板岩580吨。", pageDate: "2025-06-07" },
];
const SCHOLAR: readonly FoundItem[] = [
  {
    title: "Slate of the Copycat mine",
    text: "The Copycat mine quarried 500 tonnes of slate in 2024. The mine has 4,150 lamps.",
    date: "2024-05-01",
  },
];
const LAMPS = "The mine has 4,150 lamps.";
const DATES = { "620 tonnes": "2026-02-03", "580吨": "2025-06-07", "500 tonnes": "2024-05-01" };

/** All sentences of the passages or notes that a request shows, each with its id. */
function sentencesIn(request: SeenRequest): string[] {
  const said = contentsOf(request, "user").at(-1) ?? "";
  const fenced = said.matchAll(/<data (P\d+) (\w+)>\n([\s\S]*?)\n<\/data \2>/g);
  return [...fenced].flatMap(([, id, , text = ""]) => {
    const sentences = [...[...WEB, ...SCHOLAR].map(({ text }) => text.replace(` ${LAMPS}`, "")), LAMPS];
    return sentences.filter((sentence) => text.includes(sentence)).map((sentence) => `${sentence} [${id}: "${sentence}"]`);
  });
}

/** Expects that who writes is shown each figure below a description of its source with the date. */
function expectDated(request: SeenRequest): void {
  const said = contentsOf(request, "user").at(-1) ?? "";
  for (const [figure, date] of Object.entries(DATES)) {
    const before = said.slice(0, said.indexOf(figure));
    const source = before.slice(before.lastIndexOf("<data source "));
    expect([figure, /^Date: (\S{10})/m.exec(source)?.[1], /^(?:Publisher|Kind): \S/m.test(source)]).toEqual([figure, date, true]);
  }
}

const todos = [{ id: "T1", description: QUESTION }];
const ROLES: Readonly<Record<string, (request: SeenRequest) => ReturnType<typeof say.text>>> = {
  planner: () => say.component("planner-response", { needsMorePlanning: false, question: null, reasoning: "", todos }),
  reader: (request) => say.text(sentencesIn(request).join("\n- ").replace(/^/, "- ")),
  executor: () =>
    say.component("executor-response", { taskCompleted: true, shouldContinue: false, nextAction: "complete", summary: "found" }),
  verifier: () => say.component("verifier-response", { allCompleted: true, overallFeedback: "", tasks: [] }),
  outline: (request) => say.text([sentencesIn(request).join(" "), "## 灯 Lamps\nNOTES: P1", "ANSWERS: fully"].join("\n\n")),
  section: (request) => say.text(sentencesIn(request)[0] ?? ""),
  writer: (request) => say.text(sentencesIn(request).join(" ")),
};

async function ask(request: Partial<ResearchRequest>) {
  const services = await startSearchServices((service) => (service === "web" ? WEB : service === "scholar" ? SCHOLAR : []));
  const environment = { SOURCES: "searxng,openalex", ...services.environment };
  return askModel(
    (seen) => (offeredTools(seen).length > 0 ? say.text("Enough.") : ROLES[String(seen.body.model)]?.(seen)),
    { question: QUESTION, language: "en", models: MODELS, ...request },
    { environment, parts: { tools: [] } },
  );
}

it.each<[string, Partial<ResearchRequest>, string]>([
  ["executor", {}, "writer"],
  ["deep research", { graph: "research", depth: "deep" }, "outline"],
])("%s: who writes is shown conflicting figures with their dates, and so is who reads the report", async (_, request, writer) => {
  const asked = await ask(request);
  const writing = asked.model.requests.filter(({ body }) => body.model === writer);
  expect(writing).toHaveLength(1);
  expectDated(writing[0]!);
  expect(contentsOf(writing[0]!, "system").join()).toMatch(/disagree/);
  const { claims = [], citations = [], sources = [], markdown = "" } = asked.run.report ?? {};
  const shown = Object.keys(DATES).map((figure) => {
    const claim = claims.find(({ text }) => text.includes(figure));
    const cited = citations.find(({ id }) => id === claim?.citations[0]);
    return [figure, sources.find(({ id }) => id === cited?.sourceId)?.publishedAt?.slice(0, 10)];
  });
  expect(shown).toEqual(Object.entries(DATES));
  for (const date of Object.values(DATES)) expect(markdown).toContain(date);
  // Each figure and the number of lamps have one origin, and the report says so.
  expect(claims.map(({ figureOrigins }) => figureOrigins)).toEqual([1, 1, 1, 1]);
  expect(markdown.split("The cited figures above each stand in one source only.")).toHaveLength(2);
  expect(markdown).not.toContain("(figure of one source only)");
  await expectReplay(asked);
});
