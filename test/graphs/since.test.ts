import { expect, it } from "vitest";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { httpTool } from "../fakes/http-tool.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { type FoundItem, startSearchServices } from "../fakes/search-services.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { askModel } from "../helpers/with-model.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const TODAY = Date.parse("2026-11-20T12:00:00Z");
const item = (title: string, text: string, date?: string): FoundItem => ({ title, text, ...(date !== undefined && { date }) });
const OLD = item("Aldermoor lighthouse closed in 2019", "In 2019 the lighthouse of Aldermoor was closed for the winter.", "2019-03-01");
const NEW = item("Aldermoor lighthouse opens", "The lighthouse of Aldermoor opens again for visitors in May.", "2026-02-10");
const UNDATED = item("Aldermoor lighthouse", "The lighthouse of Aldermoor has two hundred and twelve steps.");
const QUESTION = "What is known of the Aldermoor lighthouse?";

const clockAt = (at: number) => jumpingClock(at).now;

async function askWith(items: readonly FoundItem[], request: object, queries?: readonly object[]) {
  const services = await startSearchServices((service) => (service === "encyclopedia" ? [] : items));
  const environment = { SOURCES: "searxng,openalex,tool", ...services.environment };
  const script = (seen: SeenRequest) =>
    offeredTools(seen).includes("search") ? say.toolCalls([{ name: "search", arguments: { queries } }]) : say.text("NO ANSWER: nothing");
  const parts = { tools: [httpTool("tool", "http://127.0.0.1:9")], clock: clockAt(TODAY) };
  const withoutModel = { OPENAI_BASE_URL: "", OPENAI_API_KEY: "", OPENAI_MODEL: "" };
  const options = { environment: { ...environment, ...(queries === undefined && withoutModel) }, parts };
  const run = await askModel(script, { question: QUESTION, ...request }, options);
  const downloads = run.run.report?.ledger.filter(({ what }) => what === "download") ?? [];
  return { ...run, asked: services.asked, downloads, parts };
}

it.each([
  ["without a model", undefined],
  ["with a model", [{ text: "Aldermoor lighthouse" }]],
])("does not read what is older than since, and says so, %s", async (_, queries) => {
  const run = await askWith([OLD, UNDATED, NEW], { sources: ["searxng"], since: "2026-01-01" }, queries);
  expect(
    run
      .of("document-read")
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual([UNDATED.title, NEW.title]);
  // What has no date ranks after what has one.
  const scores = Object.fromEntries(run.run.report?.sources.map(({ title, score }) => [title, score ?? 0]) ?? []);
  expect(scores[NEW.title]).toBeGreaterThan(scores[UNDATED.title] ?? 1);
  expect(run.downloads.filter(({ failure }) => failure !== null)).toMatchObject([
    { source: "searxng", outcome: "failed", failure: "before_since", detail: "Published before 2026-01-01 (since); left out: 1." },
  ]);
  await expectReplay(run, run.parts);
});

it("leaves out a page whose own date is older, which the search did not know", async () => {
  const page = { title: OLD.title, text: OLD.text, pageDate: "2019-03-01" };
  const run = await askWith([page], { sources: ["searxng"], since: "2026-01-01" });
  expect(run.run.report?.citations).toEqual([]);
  expect(run.downloads.map(({ failure }) => failure)).toEqual([null, "before_since"]);
  expect(run.run.report?.markdown).toContain("it was published before the day that was asked for");
  expect(run.of("document-failed")).toMatchObject([{ failure: "before_since", fallback: "none" }]);
  expect(run.run.report?.sources).toMatchObject([{ status: "failed", failure: "before_since", contentHash: null }]);
});

/** Undated for the search; the first `old` pages tell a date before that of the request. The search finds those first. */
const undated = (count: number, old: number): FoundItem[] =>
  Array.from({ length: count }, (_, at) => {
    const words = `Room ${at} of the Aldermoor lighthouse, 第${at}间, has ${at + 2} windows.`;
    return { title: `Aldermoor lighthouse room ${at}`, text: words, pageDate: at < old ? "2019-03-01" : "2026-03-01" };
  });

it("reads the next pages in place of those that turn out to be older", async () => {
  const queries = [{ text: "Aldermoor lighthouse room" }];
  const run = await askWith(undated(18, 5), { sources: ["searxng"], since: "2026-01-01" }, queries);
  const sources = run.run.report?.sources ?? [];
  expect(sources.filter(({ status }) => status === "read")).toHaveLength(12);
  expect(sources.filter(({ failure }) => failure === "before_since")).toHaveLength(5);
  expect(run.downloads.filter(({ outcome }) => outcome === "found")).toHaveLength(17);
  expect(run.run.usage.downloads).toBe(17);
  await expectReplay(run, run.parts);
});

it("reads at most twice as many pages as it has places, and no more than its limit", async () => {
  const asked = { sources: ["searxng", "openalex"], since: "2026-01-01" };
  const services = await startSearchServices((service) => undated(40, 40).slice(...(service === "web" ? [0, 20] : [20, 40])));
  const environment = { ...services.environment, SOURCES: "searxng,openalex" };
  const dossier = await openDossier({ environment, parts: { clock: clockAt(TODAY) } });
  const ask = async (limits = {}) => {
    const run = await dossier.finish((await dossier.start({ question: QUESTION, ...asked, limits })).id);
    return [run.usage.downloads, run.termination?.reason];
  };
  expect(await ask()).toEqual([24, "no_answer"]);
  expect(await ask({ downloads: 14 })).toEqual([14, "no_answer"]);
});

it("pages that turn out to be older do not take the places of the documents of a depth", async () => {
  const run = await askWith(undated(20, 6), { sources: ["searxng"], since: "2026-01-01", depth: "quick" });
  const sources = run.run.report?.sources ?? [];
  expect(sources.filter(({ status }) => status === "read")).toHaveLength(6);
  expect(sources.filter(({ failure }) => failure === "before_since")).toHaveLength(6);
  expect(run.run.usage.downloads).toBe(12);
  expect(run.downloads.filter(({ failure }) => failure === "download_cap")).toEqual([]);
  await expectReplay(run, run.parts);
});

it("says that no download was left to replace older pages", async () => {
  const run = await askWith(undated(20, 4), { sources: ["searxng"], since: "2026-01-01", depth: "standard", limits: { downloads: 6 } });
  expect(run.run.usage.downloads).toBe(6);
  expect(run.downloads.flatMap(({ failure, detail }) => (failure === "download_cap" ? [detail] : []))).toEqual([
    "No download was left (limits.downloads, or the depth) to read others in place of older pages; not replaced: 4.",
  ]);
});

it("sends the day to the services that can filter, also for queries with other dates", async () => {
  const queries = [
    { text: "Aldermoor lighthouse", from: "2024-05-01" },
    { text: "Aldermoor visitors", from: "2026-10-25" },
    { text: "Aldermoor keeper", from: "2019-01-01", to: "2019-12-31" },
  ];
  const { asked } = await askWith([NEW], { since: "2026-01-01" }, queries);
  expect(asked.web).toEqual(["Aldermoor lighthouse | year", "Aldermoor visitors | month", "Aldermoor keeper | year"]);
  expect(asked.scholar).toEqual([
    "Aldermoor lighthouse | from_publication_date:2026-01-01",
    "Aldermoor visitors | from_publication_date:2026-10-25",
    "Aldermoor keeper | from_publication_date:2026-01-01",
  ]);
});

it("sends the day with the words of the question too", async () => {
  const { asked } = await askWith([NEW], { since: "2026-11-14" });
  expect(asked.web).toEqual(["known Aldermoor lighthouse | week"]);
  expect(asked.scholar).toEqual(["known Aldermoor lighthouse | from_publication_date:2026-11-14"]);
});

it("tells the model of it", async () => {
  const run = await askWith([NEW], { since: "2026-01-01", systemContext: "Be brief." }, [{ text: "Aldermoor lighthouse" }]);
  const systems = run.model.requests.map((request) => contentsOf(request, "system").join("\n"));
  expect(systems).toHaveLength(2);
  for (const told of systems) expect(told).toMatch(/published on or after 2026-01-01\.[^\n]*\n\nBe brief\.$/);
});

it("shows an agent nothing older, and says so in the ledger", async () => {
  const services = await startSearchServices(() => [OLD, NEW]);
  const script = (_: SeenRequest, index: number) =>
    index === 0
      ? say.toolCalls([{ name: "search", arguments: { queries: [{ text: "Aldermoor lighthouse" }] } }])
      : say.text("The lighthouse opens again.");
  const environment = { SOURCES: "searxng", ...services.environment };
  const options = { environment, parts: { tools: [], clock: clockAt(TODAY) } };
  const { model, run } = await askModel(script, { graph: "agent", question: QUESTION, since: "2026-01-01" }, options);
  expect(services.asked.web).toEqual(["Aldermoor lighthouse | year"]);
  const shown = contentsOf(model.requests[1]!, "tool").join("\n");
  expect(shown).toContain(NEW.title);
  expect(shown).not.toContain(OLD.title);
  expect(run.report?.ledger).toContainEqual(expect.objectContaining({ failure: "before_since", source: "searxng" }));
});

it("refuses a day after today, by the date of the run", async () => {
  const dossier = await openDossier({ parts: { clock: clockAt(Date.parse("2026-11-20T23:30:00Z")) } });
  const refused = dossier.start({ question: QUESTION, since: "2026-11-21" });
  await expect(refused).rejects.toMatchObject({ code: "invalid_request", status: 400, faults: [{ path: "/since" }] });
  await expect(dossier.start({ question: QUESTION, since: "2026-11-21", timeZone: "Asia/Shanghai" })).resolves.toBeDefined();
});

it.each(["2026-02-30", "2026"])("refuses %s, which is no day", (since) => {
  const { error } = ResearchRequestSchema.safeParse({ question: QUESTION, since });
  expect(error?.issues.map(({ path }) => path)).toEqual([["since"]]);
});
