import { expect, it } from "vitest";
import type { SeenRequest } from "../../contracts/recorded-request.ts";
import { startEastmoney } from "../../fakes/eastmoney.ts";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { Script } from "../../fakes/model-server/script.ts";
import { contentsOf, offeredTools, rewritesQueries } from "../../fakes/model-server/seen-request.ts";
import { startSearchServices } from "../../fakes/search-services.ts";
import { EASTMONEY_DATA } from "../../fixtures/services/eastmoney.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { CORPUS, openDossier } from "../../helpers/open-dossier.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { startEdgar } from "../../tools/sec-edgar/edgar-server.ts";
import { ASKED_QUESTIONS, type AskedQuestion, type Round } from "./asked-questions.ts";

const EVENING = "2026-11-20T23:59:00Z";

/** All services on loopback. Whatever is asked is found, so that no query is rewritten. */
async function startServices() {
  const search = await startSearchServices((_, words) => [
    { title: words.replaceAll('"', ""), text: "It is told in a book of the coast." },
  ]);
  const edgar = await startEdgar();
  const market = await startEastmoney(EASTMONEY_DATA);
  const pathsOf = (requests: readonly string[]) => requests.map((path) => path.split("?", 1)[0] ?? path);
  return {
    sources: search.sources,
    environment: {
      SOURCES: "searxng,openalex,wikipedia,corpus,own-filing,own-market,sec_edgar_search,akshare_search",
      ...search.environment,
      SEC_EDGAR_BASE_URL: edgar.url,
      EASTMONEY_BASE_URL: market.url,
    },
    /** Returns what each service was asked since the last call, without those that were not asked. */
    takeAsked(): Record<string, readonly string[]> {
      const edgarPaths = (edgar.requests as SeenRequest[]).splice(0).map(({ url }) => {
        const query = url.pathname.endsWith("search-index") ? decodeURIComponent(url.search.replaceAll("+", " ")) : "";
        return url.pathname + query;
      });
      const all = { ...search.asked, edgar: edgarPaths, eastmoney: pathsOf(market.requests.splice(0)) };
      const taken = Object.entries(all).map(([service, lines]) => [service, [...new Set(lines.splice(0))]] as const);
      return Object.fromEntries(taken.filter(([, lines]) => lines.length > 0));
    },
  };
}

const clockFrom = (start: string) => jumpingClock(Date.parse(start));

function behaviorOf({ queries, calls = [], says = "" }: Round): Behavior {
  const search = queries === undefined ? [] : [{ name: "search", arguments: { queries } as never }];
  return calls.length + search.length > 0 ? say.toolCalls([...calls, ...search]) : say.text(says);
}

/** Answers the decisions of each question by its rounds, and writes that nothing answers. */
function scriptOf(questions: readonly AskedQuestion[]): Script {
  const counts = new Map<string, number>();
  return (request) => {
    const told = contentsOf(request, "user").at(-1) ?? "";
    const asked = questions.find(({ question }) => told.includes(question));
    if (rewritesQueries(request) || asked === undefined) return undefined;
    if (!offeredTools(request).includes("search")) return say.text("NO ANSWER: no passage says it");
    const count = counts.get(asked.question) ?? 0;
    counts.set(asked.question, count + 1);
    const round = asked.rounds[count];
    return round === undefined ? undefined : behaviorOf(round);
  };
}

const sorted = (asked: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(asked).map(([service, lines]) => [service, lines.toSorted()]));

it("sends the queries of each question to each source in its form, where they fit and nowhere else", async () => {
  const services = await startServices();
  const { environment, sources } = services;
  const parts = { sources, clock: clockFrom(EVENING).now };
  const { model, dossier } = await openWithModel(scriptOf(ASKED_QUESTIONS), { environment, parts });
  await dossier.prepare(new AbortController().signal);
  for (const { question, request, ending, asked } of ASKED_QUESTIONS) {
    const { id } = await dossier.start({ question, ...request });
    const run = await dossier.finish(id);
    expect([question, run.status, sorted(services.takeAsked())]).toEqual([question, "succeeded", sorted(asked)]);
    const ended = (await dossier.events(id)).flatMap((event) => (event.type === "loop-ended" ? [event.reason] : []));
    expect([question, ended]).toEqual([question, [ending]]);
  }
  expect(model.unexpected).toEqual([]);
});

it("without a model sends only the words that a question is about", async () => {
  const services = await startServices();
  const { environment, sources } = services;
  const dossier = await openDossier({ environment, parts: { sources }, corpus: CORPUS });
  for (const [question, words] of [
    ["Write a detailed report comparing the windmills of Hesk and the watermills of Tolmere.", "windmills Hesk watermills Tolmere"],
    ["Please summarize the history of the whale oil lamp.", "history whale oil lamp"],
    ["请帮我总结一下鲸油的历史", "鲸油 历史"],
    ["請撰寫一篇關於水車的詳細報告", "水車"],
    ["What does the annual report of the harbour say?", "annual report harbour say"],
  ] as const) {
    const { id } = await dossier.start({ question });
    await dossier.finish(id);
    const asked = services.takeAsked();
    expect(Object.keys(asked).toSorted()).toEqual(["encyclopedia", "filing", "market", "scholar", "web"]);
    for (const line of Object.values(asked).flat()) expect(line.split(" | ", 1)[0]).toBe(words);
  }
});
