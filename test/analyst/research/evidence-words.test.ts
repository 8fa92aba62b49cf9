import { expect, test } from "vitest";
import { bearOut } from "../../../src/analyst/extractive/research/bears-out.ts";
import { meets, readDemands, termsOf } from "../../../src/analyst/extractive/research/subject-terms.ts";
import { findingsOf } from "./research-views.ts";

test.each([
  ["How long is the Halden 40's guarantee?", ["Halden", "guarantee"]],
  ["Since when does Nils Orre run the Vess Line?", ["Nils Orre", "run", "Vess Line"]],
  ["Pros and cons of wooden bridges", ["wooden", "bridges"]],
  ["列举银湾县的特产。", ["银湾县", "特产"]],
  ["请列出玉峰山的三座寺庙。", ["玉峰山", "寺庙"]],
  ["玉峰山有几座古塔？", ["玉峰山", "古塔"]],
  ["雾川纺织的海外工厂在哪些国家？", ["雾川纺织", "工厂"]],
  ["石门之战双方各有多少兵力？", ["石门", "战", "兵力"]],
  ["病假的规定是什么？", ["病假"]],
  ["玉峰山上有哪座寺庙最古老？", ["玉峰山", "寺庙", "古老"]],
])("of “%s” an answer has to name things and no words that frame them", (question, words) => {
  const telling = readDemands(question).concepts.filter(({ weight }) => weight >= 1);
  expect(telling.map(({ surface }) => surface)).toEqual(words);
});

test.each([
  ["How many people died in the Dorel strike?", "people died", "The Dorel strike killed nine people."],
  ["玉峰山冬天能去吗？", "冬天", "玉峰山冬季因积雪不对外开放。"],
  ["列举银湾县的特产。", "特产", "银湾县盛产柑橘。"],
  ["沈渡率领了多少骑兵？", "率领", "沈渡率八千骑兵渡河。"],
])("“%s” is borne out by a sentence in other words for “%s”", (question, _, sentence) => {
  const terms = termsOf(sentence);
  expect(readDemands(question).concepts.filter((concept) => concept.weight >= 1 && !meets(concept, terms))).toEqual([]);
});

test("a possessive in the question is no word that a passage lacks", () => {
  const bearing = bearOut("How long is the Halden 40's guarantee?", findingsOf("a:The Halden 40 has a guarantee of five years."));
  expect(bearing).toMatchObject({ holds: true, missing: [], untold: [] });
});
