import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { SourceStateSchema } from "../../src/domain/ports/run-service.ts";
import { RunSchema } from "../../src/domain/run.ts";
import { closedPort } from "../contracts/closed-port.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { startService, type TestService } from "../helpers/start-service.ts";
import { LONG } from "./long-limits.ts";
import { startRaw } from "./raw-server.ts";

const ENGLISH = "What does whale oil do to lighthouse lenses?";
const CHINESE = "鲸油对灯塔的透镜有什么影响？";

/** Crossref refuses, OpenAlex does not resolve, arXiv accepts the question and stays silent. */
async function nothingAnswers(more: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const blackHole = await startRaw(() => {});
  return startService({
    parts: {
      network: {
        // Only the silent source takes so long, even on a busy machine.
        limits: { ...LONG, totalMs: 3_000 },
        resolve: () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" })),
      },
    },
    environment: {
      SOURCES: "crossref,openalex,arxiv",
      CROSSREF_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
      ARXIV_BASE_URL: blackHole.url,
      ...more,
    },
  });
}

const asked = async (service: TestService, question: string) => RunSchema.parse(await service.ask({ question }));

it("ends if nothing can be reached, and names the sources and reasons, in English", async () => {
  const service = await nothingAnswers();
  const run = await asked(service, ENGLISH);
  expect(run.termination).toMatchObject({
    reason: "no_answer",
    detail: "no source could be searched: crossref (unreachable), openalex (unreachable), arxiv (timeout)",
  });
  const text = run.report?.markdown ?? "";
  expect(text).toContain("Judged by code: the question was not answered.\n\nNo source in scope could be searched.");
  expect(text).toMatch(/- search in crossref: could not be reached — .*connection refused/);
  expect(text).toMatch(/- search in openalex: could not be reached — .*its name could not be resolved/);
  expect(text).toMatch(/- search in arxiv: did not answer in time/);
  expect(text).not.toMatch(/found nothing|Nothing in scope/);
});

it("ends if nothing can be reached, and names the sources and reasons, in Chinese", async () => {
  const run = await asked(await nothingAnswers(), CHINESE);
  const text = run.report?.markdown ?? "";
  expect(run.termination?.reason).toBe("no_answer");
  expect(text).toContain("这个问题没有得到回答。\n\n范围内的来源都无法查找。");
  expect(text).toMatch(/- 来源 crossref: 无法连接/);
  expect(text).toMatch(/- 来源 arxiv: 没有及时答复/);
  expect(text).not.toMatch(/没有找到|没有资料/);
});

it("distinguishes in words that everything was searched without a result from sources that could not be searched", async () => {
  const empty = await startLoopback((_, response) => void response.end(JSON.stringify({ message: { items: [] } })));
  onTestFinished(() => empty.close());
  const all = await nothingAnswers({ CROSSREF_BASE_URL: empty.url, SOURCES: "crossref" });
  const some = await nothingAnswers({ CROSSREF_BASE_URL: empty.url });
  const [found, partly] = [await asked(all, ENGLISH), await asked(some, ENGLISH)].map(({ report }) => report?.markdown ?? "");
  expect(found).toContain("no answer was found.");
  expect(found).toContain("The search found nothing that has to do with it.");
  expect(found).not.toContain("could not be");
  expect(partly).toContain("no answer was found.");
  expect(partly).toMatch(/- search in openalex: could not be reached/);
  expect(partly).not.toContain("- search in crossref");
  expect((await asked(some, CHINESE)).report?.markdown).toContain("程序判断：没有找到答案。\n\n查找没有找到相关的资料。");
});

it("lists every source with its missing settings, and the result of its last request", async () => {
  const service = await nothingAnswers({ CONTACT_EMAIL: "someone@example.org" });
  const sources = async () => {
    const listed = z.object({ sources: z.array(SourceStateSchema) }).parse(await (await fetch(`${service.url}/sources`)).json());
    return new Map(listed.sources.map((source) => [source.id, source]));
  };
  const before = await sources();
  expect(before.get("crossref")).toMatchObject({ configured: true, needsKey: false, lastTry: null });
  expect(before.get("tavily")).toMatchObject({ configured: false, needsKey: true, lastTry: null });
  expect(before.get("searxng")).toMatchObject({ configured: false, needsKey: false, lastTry: null });
  await asked(service, ENGLISH);
  const after = await sources();
  expect(after.get("crossref")?.lastTry).toMatchObject({ reachable: false, failure: "unreachable" });
  expect(after.get("arxiv")?.lastTry).toMatchObject({ reachable: false, failure: "timeout" });
  expect(Date.parse(after.get("crossref")?.lastTry?.at ?? "")).not.toBeNaN();
  expect(after.get("tavily")?.lastTry).toBeNull();
});
