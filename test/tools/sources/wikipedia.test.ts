import { expect, it } from "vitest";
import type { Hit } from "../../../src/domain/hit.ts";
import { WIKIPEDIA } from "../../../src/tools/sources/wikipedia.ts";
import type { SeenRequest } from "../../contracts/recorded-request.ts";
import { type Answers, serviceUnderTest } from "../../contracts/service-under-test.ts";

interface Searched {
  readonly hits: readonly Hit[];
  /** Returns host and words of each request, as `zh: 灯塔`. */
  readonly asked: readonly string[];
  readonly requests: readonly SeenRequest[];
}

async function search(question: string, language: string, answers: Answers, limit = 20): Promise<Searched> {
  const { source, requests } = await serviceUnderTest(WIKIPEDIA, "application/json", answers);
  const context = { signal: new AbortController().signal, scope: ["wikipedia"] };
  const { hits } = await source.search({ text: question, language, limit }, context);
  const asked = requests.map(({ url }) => `${url.pathname.split("/")[1]?.split(".")[0]}: ${url.searchParams.get("gsrsearch")}`);
  return { hits, asked, requests };
}

/** Answers with these titles by edition, and with nothing to everything else. */
function titles(byEdition: Readonly<Record<string, readonly string[]>>): Answers {
  return ({ url }) => {
    const found = byEdition[url.pathname.split("/")[1]?.split(".")[0] ?? ""] ?? [];
    return JSON.stringify({ batchcomplete: true, query: { pages: found.map((title, index) => ({ title, index, extract: title })) } });
  };
}

it("searches the edition in the language of the question", async () => {
  const { asked, hits } = await search("鲸油灯塔的历史是什么？", "zh", titles({ zh: ["灯塔"] }));
  expect(asked).toEqual(["zh: 鲸油灯塔 历史"]);
  expect(hits[0]).toMatchObject({ title: "灯塔", url: "https://zh.wikipedia.org/wiki/%E7%81%AF%E5%A1%94" });
  expect((await search("Wer baute den Leuchtturm?", "de-AT", titles({ de: ["Leuchtturm"] }))).asked[0]).toMatch(/^de: .*Leuchtturm/);
  expect((await search("Who built it?", "tlh", titles({ en: ["Lighthouse"] }))).asked[0]).toMatch(/^en: /);
});

it.each([
  ["zh", "zh-cn"],
  ["zh-Hans-CN", "zh-cn"],
  ["zh-TW", "zh-tw"],
  ["zh-Hant", "zh-tw"],
  ["zh-HK", "zh-hk"],
])("cites one address of a Chinese page and reads it in the characters of %s", async (language, variant) => {
  const { hits, requests } = await search("灯塔", language, titles({ zh: ["灯塔"] }));
  expect(requests[0]?.url.searchParams.get("variant")).toBe(variant);
  expect(hits[0]?.url).toBe("https://zh.wikipedia.org/wiki/%E7%81%AF%E5%A1%94");
  expect(hits[0]?.publication?.fullTextUrl).toBe(`https://zh.wikipedia.org/${variant}/%E7%81%AF%E5%A1%94`);
});

it("searches any of the words if no page has them all", async () => {
  const answers: Answers = (request) =>
    request.url.searchParams.get("gsrsearch")?.includes(" OR ") === true ? titles({ en: ["Lamp"] })(request) : '{"batchcomplete":true}';
  const { asked, hits } = await search("Which lamp did Penrose choose?", "en", answers);
  expect(asked).toEqual(["en: lamp Penrose choose", "en: lamp OR Penrose OR choose"]);
  expect(hits.map(({ title }) => title)).toEqual(["Lamp"]);
});

it("searches the English edition for Latin names if its own found too little", async () => {
  const { asked, hits } = await search("Fresnel 透镜是谁发明的？", "zh", titles({ zh: ["菲涅耳透镜"], en: ["Fresnel lens"] }));
  expect(asked).toEqual(["zh: Fresnel 透镜 发明", "en: Fresnel"]);
  expect(hits.map(({ title }) => title)).toEqual(["菲涅耳透镜", "Fresnel lens"]);
  expect((await search("Fresnel 透镜是谁发明的？", "zh", titles({ zh: ["菲涅耳透镜"] }), 1)).asked).toEqual(["zh: Fresnel 透镜 发明"]);
});

it("fails if the English edition fails and its own found nothing", async () => {
  const broken: Answers = (request) => (request.target.startsWith("/en.") ? { status: 500, text: "" } : titles({})(request));
  await expect(search("Fresnel 透镜", "zh", broken)).rejects.toMatchObject({ code: "unreachable" });
});

it("cuts a question to the limit of the search", async () => {
  const long = Array.from({ length: 100 }, (_, n) => `lighthouse${n}`).join(" ");
  const { requests } = await search(long, "en", titles({ en: ["Lighthouse"] }));
  const words = requests[0]?.url.searchParams.get("gsrsearch") ?? "";
  expect(words.length).toBeLessThanOrEqual(300);
  expect(words.split(" ").at(-1)).toMatch(/^lighthouse\d+$/);
});

it("returns the hits of its own edition and says so if the English one cannot be searched", async () => {
  const answers: Answers = (request) =>
    request.url.pathname.startsWith("/en.") ? { status: 503, text: "overloaded" } : titles({ zh: ["灯塔"] })(request);
  const { source } = await serviceUnderTest(WIKIPEDIA, "application/json", answers);
  const context = { signal: new AbortController().signal, scope: ["wikipedia"] };
  const query = { language: "zh", limit: 20 };
  expect(await source.search({ ...query, text: "Penrose 灯塔" }, context)).toMatchObject({
    hits: [{ title: "灯塔" }],
    gaps: expect.stringMatching(/the English edition could not be asked: .*503/),
    sent: "Penrose 灯塔",
  });
  expect((await source.search({ ...query, text: "灯塔" }, context)).gaps).toBeNull();
});
