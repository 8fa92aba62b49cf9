import { expect, it, onTestFinished } from "vitest";
import { ResearchRequestSchema } from "../../../src/domain/request.ts";
import { httpTool } from "../../fakes/http-tool.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { offeredTools, rewritesQueries } from "../../fakes/model-server/seen-request.ts";
import { startSearchServices } from "../../fakes/search-services.ts";
import { cohere, startSemanticServer } from "../../fakes/semantic-server.ts";
import { openDossier, TENANT, type TestDossier } from "../../helpers/open-dossier.ts";
import { openWithModel } from "../../helpers/with-model.ts";

const LAMPS = { title: "Whale oil lamps", text: "A whale oil lamp gave more light than a gas lamp of its day." };
const SETTINGS = { SOURCES: "searxng,openalex,corpus" };

async function openWithoutModel(finds = [LAMPS]) {
  const services = await startSearchServices(() => finds);
  const dossier = await openDossier({ environment: { ...services.environment, ...SETTINGS } });
  onTestFinished(() => dossier.close(0));
  return { dossier, asked: services.asked };
}

const wordsOf = (lines: readonly string[]) => lines.map((line) => line.split(" | ", 1)[0]);

function estimate(dossier: TestDossier, request: object) {
  return dossier.runs.estimate(TENANT, ResearchRequestSchema.parse(request));
}

const INSTRUCTED =
  "Act as an expert historian and find out for me, in as much detail as you can, how whale oil lamps compare with gas lamps; keep it under 500 words.";

it("sends the queries of the user and no word of the question", async () => {
  const { dossier, asked } = await openWithoutModel();
  const queries = ["whale oil lamp light", '"gas lamp"'];
  const request = { question: INSTRUCTED, queries };
  const { sent } = await estimate(dossier, request);
  const run = await dossier.finish((await dossier.start(request)).id);
  expect(run.status).toBe("succeeded");
  expect(wordsOf(asked.web)).toEqual(queries);
  expect(wordsOf(asked.scholar).toSorted()).toEqual(['"gas lamp"', "whale oil lamp light"]);
  expect(sent?.filter(({ source }) => source === "searxng")).toEqual(queries.map((words) => ({ source: "searxng", words })));
  expect(sent?.map(({ source }) => source)).not.toContain("corpus");
});

it("quotes by the queries, which may be in another language than the question", async () => {
  const { dossier, asked } = await openWithoutModel();
  const request = { question: "请用三句话比较一下这两种灯，越详细越好", queries: ["whale oil lamp light gas lamp"], sources: ["searxng"] };
  const run = await dossier.finish((await dossier.start(request)).id);
  expect(wordsOf(asked.web)).toEqual(["whale oil lamp light gas lamp"]);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([LAMPS.text]);
});

it.each([INSTRUCTED, "请写一份关于水车的详细报告"])("without a model an estimate tells what is sent of %s", async (question) => {
  const { dossier, asked } = await openWithoutModel();
  const { sent } = await estimate(dossier, { question });
  await dossier.finish((await dossier.start({ question })).id);
  const told = (source: string) => sent?.filter((one) => one.source === source).map(({ words }) => words);
  expect(told("searxng")).toEqual(wordsOf(asked.web));
  expect(told("openalex")?.join(" ").split(" ").toSorted()).toEqual(wordsOf(asked.scholar).join(" ").split(" ").toSorted());
  expect(asked.web).toHaveLength(1);
});

it("an estimate tells of a question that has no word to search for that nothing is sent", async () => {
  const { dossier } = await openWithoutModel();
  for (const question of ["…", "什么"]) expect((await estimate(dossier, { question, sources: ["openalex"] })).sent).toEqual([]);
});

it("does not ask a model for queries, and does not search again, where the user gives them", async () => {
  const services = await startSearchServices(() => [{ title: "Tulips", text: "Tulips flower in April." }]);
  const parts = { tools: [httpTool("tool", "http://127.0.0.1:9")] };
  const { dossier, model } = await openWithModel(
    (seen) => (rewritesQueries(seen) ? undefined : say.text("NO ANSWER: no passage says it")),
    { environment: { ...services.environment, SOURCES: "searxng,tool" }, parts },
  );
  const request = { question: "How did lamps change?", queries: ["whale oil lamp"] };
  expect((await estimate(dossier, request)).sent).toEqual([{ source: "searxng", words: "whale oil lamp" }]);
  expect((await estimate(dossier, { question: "How did lamps change?" })).sent).toBeNull();
  const run = await dossier.finish((await dossier.start(request)).id);
  expect(run.status).toBe("succeeded");
  expect(wordsOf(services.asked.web)).toEqual(["whale oil lamp"]);
  expect(model.unexpected).toEqual([]);
  for (const seen of model.requests) expect(offeredTools(seen)).not.toContain("search");
});

it.each([
  [{ queries: [] }, "/queries"],
  [{ queries: ["one", "two", "three", "four", "five", "six", "seven"] }, "/queries"],
  [{ queries: ["lamp", "site:example.org"] }, "/queries/1"],
  [{ queries: ["灯".repeat(501)] }, "/queries/0"],
])("refuses %j", (fields, path) => {
  const issues = ResearchRequestSchema.safeParse({ question: "Which lamp?", ...fields }).error?.issues ?? [];
  expect(issues.map((issue) => `/${issue.path.join("/")}`)).toEqual([path]);
});

it("refuses queries for another graph than the executor", async () => {
  const { dossier } = await openWithoutModel();
  const started = dossier.start({ question: "Which lamp?", graph: "research", queries: ["lamp"] });
  await expect(started).rejects.toMatchObject({ code: "invalid_request", faults: [{ path: "/queries" }] });
});

it("reads each text as it stands, also if it looks like JSON, and never sends the question in its place", async () => {
  const { dossier, asked } = await openWithoutModel();
  const queries = ['["lighthouse","lamp"]', '{"error":"invalid_grant"}', "[]lamp"];
  await dossier.finish((await dossier.start({ question: "boss Tim secret note", queries, sources: ["searxng"] })).id);
  expect(asked.web).toHaveLength(3);
  expect(asked.web.join(" ")).not.toMatch(/boss|Tim|secret|note/);
  expect(asked.web.join(" ")).toMatch(/invalid_grant/);
});

it("asks a ranking service only the queries", async () => {
  const services = await startSearchServices(() => [LAMPS, { title: "Lamps", text: "Another whale oil lamp." }]);
  const server = await startSemanticServer(cohere(() => 1));
  onTestFinished(() => server.close());
  const environment = { ...services.environment, SOURCES: "searxng", RERANK_BASE_URL: `${server.url}/v2`, RERANK_MODEL: "m" };
  const dossier = await openDossier({ environment });
  onTestFinished(() => dossier.close(0));
  await dossier.finish((await dossier.start({ question: "boss Tim secret note", queries: ["whale oil lamp"] })).id);
  const sent = server.asked.map(({ body }) => (body as { query?: string }).query);
  expect(sent).toEqual(["whale oil lamp"]);
});

it("tells what is sent of a question about what the user gave, of a plan without a model, and where no call is left for queries", async () => {
  const { dossier } = await openWithoutModel();
  const bare = { question: "Summarize this", urls: ["https://example.org/a"] };
  expect((await estimate(dossier, bare)).sent).toEqual([]);
  expect((await estimate(dossier, { question: INSTRUCTED, graph: "research" })).sent).toEqual(
    (await estimate(dossier, { question: INSTRUCTED })).sent,
  );
  const services = await startSearchServices(() => []);
  const { dossier: withModel } = await openWithModel(() => undefined, { environment: { ...services.environment, SOURCES: "searxng" } });
  const followUp = { question: "And the gas lamp?", threadId: "lamps" };
  expect((await estimate(withModel, followUp)).sent).toBeNull();
  expect((await estimate(withModel, { ...followUp, limits: { modelCalls: 1 } })).sent).toHaveLength(1);
});
