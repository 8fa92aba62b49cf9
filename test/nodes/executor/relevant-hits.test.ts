import { expect, it } from "vitest";
import type { Hit } from "../../../src/domain/hit.ts";
import type { Task } from "../../../src/domain/request.ts";
import { rankFound } from "../../../src/nodes/executor/rerank.ts";
import { rankingHits } from "../../../src/ranking/rank-hits.ts";
import { finish } from "../../../src/util/turns.ts";
import { foundPage } from "../../helpers/page-source.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";

const QUESTION = "奥尔德穆尔灯塔的灯里烧什么？";
const LAMPS: Hit[] = ["奥尔德穆尔灯塔的灯", "奥尔德穆尔灯塔"].map((title, i) => ({
  ...foundPage("pages", `https://example.com/lamp/${i}`),
  title,
}));
const OTHERS = [1, 2, 3, 4].map((i) => foundPage("pages", `https://example.com/${i}`));

async function rank(hits: readonly Hit[], asked: readonly string[] | undefined, scores?: readonly number[]) {
  const semantic = { name: "rerank m", score: async () => [...(scores ?? [])] };
  const task = { ...(scores && { semantic: semantic.name }) } as Task;
  const effects = { ...plainEffects(), perform: async () => scores as never };
  const queries = asked && { all: asked, own: asked };
  const context = { task, question: QUESTION, queries, language: "zh", keep: 12, timeoutMs: 1_000, effects, finish };
  const { ranked } = await rankFound(hits, { ranker: rankingHits, semantic }, context);
  return ranked.map(({ id }) => id).sort();
}

const ids = (hits: readonly Hit[]) => hits.map(({ id }) => id).sort();

it("irrelevant hits are left out of what is read", async () => {
  expect(await rank([...LAMPS, ...OTHERS], [QUESTION])).toEqual(ids(LAMPS));
});

it("without queries, as in a run without a model, all hits are kept", async () => {
  expect(await rank([...LAMPS, ...OTHERS], undefined)).toEqual(ids([...LAMPS, ...OTHERS]));
});

it("a run without any relevant hit reads the best three", async () => {
  expect(await rank(OTHERS, [QUESTION])).toHaveLength(3);
});

it("the semantic scores decide if there are any", async () => {
  const kept = await rank([...LAMPS, ...OTHERS], [QUESTION], [1, 0, 0, 0, 0, 0.9]);
  expect(kept).toHaveLength(2);
});
