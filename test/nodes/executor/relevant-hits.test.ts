import { expect, it } from "vitest";
import { DOCUMENTS_SOURCE, type Hit } from "../../../src/domain/hit.ts";
import type { Task } from "../../../src/domain/task.ts";
import { rankFound } from "../../../src/gathering/rank.ts";
import { foundPage } from "../../helpers/page-source.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";

const QUESTION = "奥尔德穆尔灯塔的灯里烧什么？";
const LAMPS: Hit[] = ["奥尔德穆尔灯塔的灯", "奥尔德穆尔灯塔"].map((title, i) => ({
  ...foundPage("pages", `https://example.com/lamp/${i}`),
  title,
}));
const OTHERS = [1, 2, 3, 4].map((i) => foundPage("pages", `https://example.com/${i}`));

const rank = async (...asked: Parameters<typeof rankAndSay>) => (await rankAndSay(...asked)).ids;

async function rankAndSay(hits: readonly Hit[], asked: readonly string[] | undefined, scores?: readonly number[]) {
  const semantic = { name: "rerank m", score: async () => [...(scores ?? [])] };
  const task = { ...(scores && { semantic: semantic.name }) } as Task;
  const effects = { ...plainEffects(), perform: async () => scores as never };
  const queries = asked && { all: asked, own: asked };
  const context = { task, question: QUESTION, queries, keep: 12, timeoutMs: 1_000, effects };
  const { ranked, entries } = await rankFound(hits, { semantic }, context);
  const said = entries.map(({ source, outcome, results, detail }) => [source, outcome, results, detail?.split(/[;,]/)[0]]);
  return { ids: ranked.map(({ id }) => id).sort(), said };
}

const ids = (hits: readonly Hit[]) => hits.map(({ id }) => id).sort();

it("irrelevant hits are left out of what is read", async () => {
  expect(await rank([...LAMPS, ...OTHERS], [QUESTION])).toEqual(ids(LAMPS));
});

it("without queries, as in a run without a model, all hits are kept", async () => {
  expect(await rank([...LAMPS, ...OTHERS], undefined)).toEqual(ids([...LAMPS, ...OTHERS]));
});

it("a run without any relevant hit reads none, and the best three where words cannot judge; the ledger says which", async () => {
  const english = [QUESTION, "lamp oil of Aldermoor"];
  expect(await rankAndSay(OTHERS, english)).toEqual({
    ids: [],
    said: [["words", "nothing", 0, "None has enough words of the question or the queries"]],
  });
  const unjudged = await rankAndSay(OTHERS, [QUESTION]);
  expect(unjudged.ids).toHaveLength(3);
  expect(unjudged.said).toEqual([["words", "found", 3, "Words cannot judge texts in other languages"]]);
  expect((await rankAndSay([...LAMPS, ...OTHERS], [QUESTION])).said).toEqual([]);
  expect((await rankAndSay([], [QUESTION])).said).toEqual([]);
});

it("words decide where the semantic scores are all the same", async () => {
  const { ids: kept, said } = await rankAndSay([...LAMPS, ...OTHERS], [QUESTION], [1, 1, 1, 1]);
  expect(kept).toEqual(ids(LAMPS));
  expect(said.map(([source]) => source)).toEqual(["rerank m"]);
});

it("the semantic scores decide if there are any", async () => {
  const kept = await rank([...LAMPS, ...OTHERS], [QUESTION], [1, 0, 0, 0.9]);
  expect(kept).toHaveLength(2);
});

it("beside a relevant document of the user irrelevant hits are left out, except if the queries cannot judge those of another language", async () => {
  const document: Hit = { ...foundPage(DOCUMENTS_SOURCE, "upload:1"), title: "奥尔德穆尔灯塔的灯", snippet: "灯里烧鲸油。" };
  const chinese: Hit[] = ["面包的做法", "如何种植玫瑰"].map((title, i) => {
    const { snippet: _, ...page } = foundPage("pages", `https://example.com/zh/${i}`);
    return { ...page, title, snippet: "面粉和水放在一起，然后等待一个晚上。" };
  });
  expect(await rank([document, ...chinese], [QUESTION])).toEqual(ids([document]));
  expect(await rank([document, ...OTHERS], [QUESTION])).toHaveLength(4);
  expect(await rank([document, ...OTHERS], [QUESTION, "lamp of a quite different lighthouse"])).toEqual(ids([document]));
  expect(await rank([document, ...chinese], [QUESTION], [0, 0])).toEqual(ids([document]));
});

/** A relevant document of the user, one that is not, and what a third one in another language says. */
const CASES = [
  {
    question: "lamp oil of Aldermoor",
    relevant: ["Lamp oil of Aldermoor", "The lamp burns colza oil."],
    other: ["Bread", "How to bake bread."],
  },
  { question: QUESTION, relevant: ["奥尔德穆尔灯塔的灯", "灯里烧鲸油。"], other: ["面包", "面粉和水放在一起。"] },
] as const;

it.each([
  [CASES[0], "守塔人日记", "他每天晚上点灯"],
  [CASES[1], "Diary of a keeper", "Every evening he climbs the stairs"],
] as const)(
  "beside a relevant document of the user those are read that words cannot judge: %j",
  async ({ question, relevant, other }, ...odd) => {
    const given = (name: string, [title, snippet]: readonly [string, string]): Hit => ({
      ...foundPage(DOCUMENTS_SOURCE, `upload:${name}`),
      title,
      snippet,
    });
    const foreign = [0, 1, 2].map((at) => given(`b${at}`, [`${odd[0]} ${at}`, `${odd[1]} ${at}.`]));
    const documents = [given("a", relevant), ...foreign, given("c", other)];
    expect(await rank(documents, [question])).toEqual(ids(documents.slice(0, 4)));
    expect(await rank(foreign, [question])).toHaveLength(3);
  },
);
