import { type Answer, type LoopbackServer, startLoopback } from "../../fakes/loopback-server.ts";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";

/** Eight harbours with ten pages each, half of them Chinese. A page has one figure of its harbour among much else. */
export const HARBOURS = ["Aldermoor", "奥尔德港", "Brinsea", "布林港", "Corve", "科尔夫港", "Dunmouth", "邓茅斯港"];
const YEARS = Array.from({ length: 10 }, (_, index) => 2010 + index);

const isChinese = (harbour: string): boolean => /\p{sc=Han}/u.test(harbour);
const tonnesOf = (harbour: string, year: number): number => 1_000 + HARBOURS.indexOf(harbour) * 100 + (year - 2010) * 7;

export const taskOf = (harbour: string): string =>
  isChinese(harbour) ? `${harbour}每年的吞吐量是多少？` : `How much cargo did the harbour of ${harbour} handle each year?`;

export function factOf(harbour: string, year: number): string {
  const tonnes = tonnesOf(harbour, year);
  return isChinese(harbour)
    ? `${year}年${harbour}的吞吐量为${tonnes}吨。`
    : `In ${year} the harbour of ${harbour} handled ${tonnes} tonnes of cargo.`;
}

function fillerOf(harbour: string, year: number): string {
  const words = Array.from({ length: 60 }, (_, index) => `w${(index * 7_919 + year * 31 + HARBOURS.indexOf(harbour) * 131).toString(36)}`);
  return `${words.join(" ")}.`;
}

export interface Page {
  readonly path: string;
  readonly harbour: string;
  readonly title: string;
  readonly html: string;
}

export const PAGES: readonly Page[] = HARBOURS.flatMap((harbour, at) =>
  YEARS.map((year) => {
    const title = isChinese(harbour) ? `${harbour}${year}年年报` : `Annual report ${year} of the harbour of ${harbour}`;
    const paragraphs = [fillerOf(harbour, year), factOf(harbour, year), fillerOf(harbour, year + 50)].map((text) => `<p>${text}</p>`);
    const lang = isChinese(harbour) ? "zh" : "en";
    const html = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title></head><body><article><h1>${title}</h1>${paragraphs.join("")}</article></body></html>`;
    return { path: `/pages/${at}-${year}`, harbour, title, html };
  }),
);

/** Answers as SearXNG does, with the pages of the harbour that the query names. */
export function searchAnswer(query: string, base: string): object {
  const found = PAGES.filter(({ harbour }) => query.toLowerCase().includes(harbour.toLowerCase()));
  return {
    results: found.map(({ path, title, harbour }) => ({
      url: `${base}${path}`,
      title,
      content: `${title}: ${isChinese(harbour) ? "吞吐量" : "cargo"}`,
    })),
    unresponsive_engines: [],
  };
}

/** Each role asks a model of its own name. */
export const MODELS = Object.fromEntries(
  ["planner", "executor", "verifier", "summary", "reader", "outline", "section", "writer"].map((role) => [role, role]),
);

const FENCED = /<data (P\d+) (\w+)>\n([\s\S]*?)\n<\/data \2>/g;
const FACT = /In \d{4} the harbour of \w+ handled \d+ tonnes of cargo\.|\d{4}年\S{1,6}港的吞吐量为\d+吨。/;

/** Returns the facts that a request shows, each with a citation. */
export function citedFacts(request: SeenRequest): string[] {
  const said = contentsOf(request, "user").at(-1) ?? "";
  return [...said.matchAll(FENCED)].flatMap(([, id, , text = ""]) => {
    const fact = FACT.exec(text)?.[0];
    return fact === undefined ? [] : [`${fact} [${id}: "${fact}"]`];
  });
}

const ANSWERS: Readonly<Record<string, (request: SeenRequest) => Behavior>> = {
  planner: () =>
    say.component("planner-response", {
      ...{ needsMorePlanning: false, question: null, reasoning: "" },
      todos: HARBOURS.map((harbour, at) => ({ id: `T${at + 1}`, description: taskOf(harbour) })),
    }),
  reader: (request) =>
    say.text(
      citedFacts(request)
        .map((fact) => `- ${fact}`)
        .join("\n") || "NO ANSWER: no figure",
    ),
  executor: () =>
    say.component("executor-response", { taskCompleted: true, shouldContinue: false, nextAction: "complete", summary: "found" }),
  verifier: () => say.component("verifier-response", { allCompleted: true, overallFeedback: "", tasks: [] }),
  outline(request) {
    const said = contentsOf(request, "user").at(-1) ?? "";
    const [first = ""] = citedFacts(request);
    const sections = [...said.matchAll(/^Notes: (.*)$/gm)].map(([, ids], at) => `## ${HARBOURS[at]}\nNOTES: ${ids}`);
    return say.text([first, ...sections, "ANSWERS: fully"].join("\n\n"));
  },
  section: (request) => say.text(citedFacts(request).join(" ")),
};

/** A model that does each role's work from what it is shown. Before each answer pass `delayMs`, and up to `spreadMs` more for some. */
export function deepScript(delayMs = 0, spreadMs = 0): (request: SeenRequest) => Behavior | undefined {
  let count = 0;
  return (request) => {
    const answer = ANSWERS[String(request.body.model)]?.(request);
    return answer && say.slow(answer, { firstMs: delayMs + (spreadMs * (count++ % SPREAD)) / SPREAD });
  };
}

const SPREAD = 8;

/** Serves the search and the pages, each answer after `delayMs`. The caller closes it. */
export async function startWorld(delayMs = 0): Promise<LoopbackServer> {
  const answer: Answer = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const isSearch = pathname === "/search";
    response.setHeader("content-type", isSearch ? "application/json" : "text/html; charset=utf-8");
    const found = isSearch ? JSON.stringify(searchAnswer(searchParams.get("q") ?? "", web.url)) : undefined;
    response.end(found ?? PAGES.find(({ path }) => path === pathname)?.html ?? "");
  };
  const web = await startLoopback(answer, { delayMs });
  return web;
}

export const DEEP = {
  question: "Compare the cargo of the eight harbours from 2010 to 2019. 比较八个港口的吞吐量。",
  graph: "research",
  depth: "deep",
  language: "en",
  models: MODELS,
} as const;

/** The settings of a service that searches the world. */
export const settingsOf = (web: string): Record<string, string> => ({
  ...{ SOURCES: "searxng", SEARXNG_BASE_URL: web, ALLOWED_PRIVATE_HOSTS: new URL(web).host, MODEL_CONTEXT_TOKENS: "32000" },
});
