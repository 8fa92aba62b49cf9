import { expect, it } from "vitest";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { httpTool } from "../fakes/http-tool.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, rewritesQueries, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { type FoundItem, startSearchServices } from "../fakes/search-services.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { askModel, openWithModel } from "../helpers/with-model.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const LIGHT: FoundItem = {
  title: "Lighthouse of Aldermoor",
  text: "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.",
};
const OTHER: FoundItem = { title: "Recipes for a summer evening", text: "Slice the tomatoes and let them rest." };
const QUESTION = "奥尔德穆尔灯塔是谁建造的？";
const search = (...texts: readonly string[]) =>
  say.toolCalls([{ name: "search", arguments: { queries: texts.map((text) => ({ text, kinds: ["web"] })) } }]);

interface Script {
  readonly decision?: Behavior;
  readonly rewriting?: Behavior;
}

/** A web search that finds the lighthouse only by its name. Without `tools` no decision is asked for. */
async function ask({ decision, rewriting }: Script, request: object = {}, environment: Readonly<Record<string, string>> = {}) {
  const services = await startSearchServices((_, words) => (words.includes("Aldermoor") ? [LIGHT] : [OTHER]));
  const script = (seen: SeenRequest): Behavior | undefined => {
    if (rewritesQueries(seen)) return rewriting;
    if (offeredTools(seen).includes("search")) return decision;
    return writes(seen);
  };
  const tools = decision === undefined ? [] : [httpTool("tool", "http://127.0.0.1:9")];
  const sources = decision === undefined ? "searxng" : "searxng,tool";
  const options = { environment: { SOURCES: sources, ...services.environment, ...environment }, parts: { tools } };
  const run = await askModel(script, { question: QUESTION, ...request }, options);
  const rewritings = run.model.requests.filter(rewritesQueries);
  return { ...run, asked: services.asked.web, rewritings, tools };
}

function writes(request: SeenRequest): Behavior {
  const id = /\bP\d+\b(?=[\s\S]{0,400}built in 1874)/.exec(contentsOf(request, "user").join("\n"))?.[0];
  return say.text(
    id === undefined ? "NO ANSWER: nothing says it" : `灯塔由 Ada Penrose 于 1874 年建造。[${id}: "built in 1874 by Ada Penrose"]`,
  );
}

it("asks the model once for other queries where the queries found nothing relevant, and reads what these find", async () => {
  const run = await ask({ decision: search("奥尔德穆尔灯塔 建造者"), rewriting: search("lighthouse of Aldermoor builder") });
  expect(run.asked).toEqual(["奥尔德穆尔灯塔 建造者", "lighthouse of Aldermoor builder"]);
  expect(run.of("queries-rewritten")).toMatchObject([
    { queries: [{ text: "lighthouse of Aldermoor builder", kinds: ["web"] }], from: ["奥尔德穆尔灯塔 建造者"], relevance: 0 },
  ]);
  const rows = run.run.report?.ledger.filter(({ what }) => what === "search");
  expect(rows?.map(({ target, results }) => [target, results])).toEqual([
    ["奥尔德穆尔灯塔 建造者", 1],
    ["lighthouse of Aldermoor builder", 1],
  ]);
  expect(run.run.report?.citations.map(({ quote }) => quote)).toEqual(["built in 1874 by Ada Penrose"]);
  await expectReplay(run, { tools: run.tools });
});

it("rewrites the words of the question where no decision is asked for", async () => {
  const run = await ask({ rewriting: search("lighthouse of Aldermoor") });
  expect(run.asked.at(-1)).toBe("lighthouse of Aldermoor");
  expect(run.model.requests).toHaveLength(2);
  expect(run.run.report?.citations).toHaveLength(1);
});

it("does not ask the same queries again", async () => {
  const run = await ask({ decision: search("Fresnel lens"), rewriting: search("Fresnel lens") });
  expect([run.rewritings.length, run.asked]).toEqual([1, ["Fresnel lens"]]);
});

it("keeps the calls that are reserved for writing", async () => {
  const run = await ask({ decision: search("Fresnel lens"), rewriting: search("Aldermoor") }, { limits: { modelCalls: 3 } });
  expect([run.rewritings.length, run.asked]).toEqual([0, ["Fresnel lens"]]);
  // Nothing that was found is relevant, so there is nothing to write from.
  expect(run.run).toMatchObject({ status: "succeeded", usage: { modelCalls: 1 }, termination: { reason: "no_answer" } });
  expect(run.run.report?.ledger.filter(({ what }) => what === "download")).toEqual([]);
});

it("goes on with what was found first if the model fails", async () => {
  const run = await ask({ decision: search("Fresnel lens"), rewriting: say.repeat(say.status(503, undefined, { "retry-after-ms": "5" })) });
  expect(run.run.status).toBe("succeeded");
  expect(run.asked).toEqual(["Fresnel lens"]);
  expect(run.run.report?.ledger).toContainEqual(expect.objectContaining({ what: "model", target: "queries", outcome: "failed" }));
});

it.each([
  [
    "are about something else",
    "Slice the tomatoes and let them rest until evening.",
    ["奥尔德穆尔灯塔 建造者", "lighthouse of Aldermoor builder"],
  ],
  ["answer it", "奥尔德穆尔灯塔由艾达·彭罗斯建造，建造者来自托尔米尔。", ["奥尔德穆尔灯塔 建造者"]],
])("looks again beside documents of the user only if they %s too, and then searches them again", async (_, text, asked) => {
  const services = await startSearchServices((_, words) => (words.includes("Aldermoor") ? [LIGHT] : [OTHER]));
  const tools = [httpTool("tool", "http://127.0.0.1:9")];
  const script = (seen: SeenRequest): Behavior => {
    if (rewritesQueries(seen)) return search("lighthouse of Aldermoor builder");
    return offeredTools(seen).includes("search") ? search("奥尔德穆尔灯塔 建造者") : writes(seen);
  };
  const { dossier } = await openWithModel(script, { environment: { SOURCES: "searxng,tool", ...services.environment }, parts: { tools } });
  const documents = [{ name: "说明.txt", mediaType: "text/plain", bytes: new TextEncoder().encode(text) }];
  const { id } = await dossier.runs.start(TENANT, ResearchRequestSchema.parse({ question: QUESTION, otherSources: true }), { documents });
  const run = await dossier.finish(id);
  expect([run.error, services.asked.web]).toEqual([null, asked]);
  const searches = run.report?.ledger.filter(({ what, source }) => what === "search" && source === "documents") ?? [];
  expect(searches.map(({ target }) => target)).toEqual(asked);
  await expectReplay({ dossier, run }, { tools });
});
