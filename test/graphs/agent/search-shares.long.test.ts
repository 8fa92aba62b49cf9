import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { AskedRole } from "../../fakes/model-server/role-script.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { plan } from "../../fakes/scripted-roles.ts";
import { statuses } from "../research/ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "../research/roles-under-test.ts";
import { child, type Does, SUPERVISOR, startTeam } from "../team/team-under-test.ts";
import { FILLER_ZH, shelf, startLibrary } from "./library.ts";

const FACT = "The shipyard of Aldermoor has 312 workers.";
const FACT_ZH = "奥尔德穆尔港务局有九十名工人。";

/** Searches, then quotes the fact that the search shows. */
function answer(request: SeenRequest, query: string, fact: string) {
  const shown = contentsOf(request, "tool").join("\n");
  if (shown === "") return say.toolCalls([{ name: "search", arguments: { query } }]);
  const id = [...shown.slice(0, shown.indexOf(fact)).matchAll(/\[(S\d+)\]/g)].at(-1)?.[1] ?? "S99";
  return shown.includes(fact) ? say.text(`${fact} [${id}: ${JSON.stringify(fact)}]`) : say.text("It is not known.");
}

const pages = [...shelf("Aldermoor", 9, () => FACT), ...shelf("港务局", 9, () => FACT_ZH, FILLER_ZH)];

it("at the depth deep the searches of a todo's agent read, and leave downloads to the todos beside it", async () => {
  const library = await startLibrary(pages);
  const todos = [
    { id: "T1", description: "Count the workers of the shipyard of Aldermoor.", by: "agent" as const },
    { id: "二", description: "算出奥尔德穆尔港务局的工人数。", by: "agent" as const },
  ];
  const agent = ({ request }: AskedRole) => {
    const isChinese = contentsOf(request, "user").at(-1)?.includes("港务局");
    return isChinese ? answer(request, "工人 港务局", FACT_ZH) : answer(request, "workers Aldermoor", FACT);
  };
  const { environment } = library;
  const asked = async (downloads: number) => {
    const { length } = library.read;
    const one = await researchByModel(
      { "planner-response": [plan(todos)], tools: agent },
      { question: "How many workers have the shipyard and the 港务局?", depth: "deep", clarify: false, limits: { downloads } },
      { environment, corpus: {} },
    );
    const read = library.read.slice(length);
    await expectReplay(one);
    expect(statuses(one.run.todos)).toBe("T1 completed, 二 completed");
    return { ...one, ofFirst: read.filter((at) => at < 9).length, ofSecond: read.filter((at) => at >= 9).length };
  };
  const enough = await asked(20);
  expect([enough.ofFirst, enough.ofSecond, enough.run.usage.downloads]).toEqual([6, 6, 12]);
  const told = askedOf(enough, "tools").flatMap((request) => contentsOf(request, "tool"));
  for (const fact of [FACT, FACT_ZH]) expect(told.filter((shown) => shown.includes(fact))).toHaveLength(1);
  const scarce = await asked(7);
  expect(scarce.ofFirst + scarce.ofSecond).toBe(7);
  expect(Math.min(scarce.ofFirst, scarce.ofSecond)).toBe(3);
}, 30_000);

it.each(["concurrent", "sequential"])("children of a %s team read a page once, each within its own share", async (pattern) => {
  const library = await startLibrary(pages);
  const finds: Does = (request) => answer(request, "workers Aldermoor", FACT);
  const does = { 甲: finds, b: finds, c: (request: SeenRequest) => answer(request, "工人 港务局", FACT_ZH) };
  const team = await startTeam({ ...does, [SUPERVISOR]: () => say.text("") }, { environment: library.environment });
  const children = [child("甲"), child("b"), child("c")];
  const { run, asked } = await team.ask("How many workers are there? 有多少工人？", { pattern, children }, { limits: { downloads: 12 } });
  expect(run.children?.map(({ success }) => success)).toEqual([true, true, true]);
  expect(library.read).toHaveLength(new Set(library.read).size);
  // Each has a third, and what others read costs it nothing.
  expect(library.read.filter((at) => at < 9).length).toBeGreaterThanOrEqual(4);
  expect(library.read.filter((at) => at >= 9).length).toBeGreaterThanOrEqual(4);
  expect(run.usage.downloads).toBe(library.read.length);
  expect(run.usage.downloads).toBeLessThanOrEqual(12);
  const told = (id: string) => contentsOf(asked(id).at(-1)!, "tool").join("\n");
  for (const id of ["甲", "b"]) expect(told(id)).toMatch(/[4-6] of them read, with the places that fit best/);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([FACT, FACT_ZH]);
  await expectReplay({ dossier: team.dossier, run });
});
