import { expect, test } from "vitest";
import { readAnswerKind } from "../../src/analyst/extractive/answer-kind.ts";
import { holdsKind } from "../../src/analyst/extractive/answer-signs.ts";

test.each([
  ["How much does the ferry cost per month?", "money"],
  ["What is the ticket price?", "money"],
  ["What does the ferry cost?", "money"],
  ["谷歌以多少钱收购了DeepMind？", "money"],
  ["美樹營地的楓紅期間入園費多少？", "money"],
  ["この本はいくらですか", "money"],
  ["Combien coûte le billet ?", "money"],
  ["这次修理花费了多少时间？", "quantity"],
  ["By how much did the update shrink?", "quantity"],
  ["How many nodes are there?", "quantity"],
  ["一次运行有几个节点？", "quantity"],
  ["Combien de députés ont voté contre ?", "quantity"],
  ["When was the ferry founded?", "date"],
  ["In which year did it sink?", "date"],
  ["公司是哪一年成立的？", "date"],
  ["谷歌什么时候收购了DeepMind？", "date"],
  ["制御装置はいつ設置されましたか", "date"],
  ["Quand le contrôleur du bac a-t-il été installé ?", "date"],
  ["Quand Molière est-il né ?", "date"],
  ["À quelle date le bac fut-il lancé ?", "date"],
  ["How old is the captain?", "age"],
  ["李博灏几岁了？", "age"],
  ["How long may a search take?", "duration"],
  ["要等多久？", "duration"],
  ["Who founded the company?", "person"],
])("%s asks for: %s", (question, kind) => {
  expect(readAnswerKind(question)).toBe(kind);
});

test.each([
  "When is a run cancelled?",
  "什么时候会重新启动？",
  "Quand un voyage est-il annulé ?",
  "Who decides which tools to call?",
  "Who won more races, Ada Holt or Ben Reeve?",
  "哪几个节点？",
  "教育局如何回应？",
  "那几年发生了什么？",
  "How does the loop end?",
  "What does group commit cost?",
  "Which date format is used?",
])("%s says nothing of the kind of its answer", (question) => {
  expect(readAnswerKind(question)).toBeNull();
});

test("a price is a figure with a currency, or nothing at all", () => {
  expect(holdsKind("money", "A ticket is 4 euros.", "")).toBe(true);
  expect(holdsKind("money", "入園費$50元", "")).toBe(true);
  expect(holdsKind("money", "Children travel free.", "")).toBe(true);
  expect(holdsKind("money", "The cap is in US dollars.", "")).toBe(false);
  expect(holdsKind("money", "It takes 4 hours.", "")).toBe(false);
});

test("dates, ages and durations are figures with a unit of their own", () => {
  expect(holdsKind("date", "It was installed in 2019.", "")).toBe(true);
  expect(holdsKind("date", "它建于明代。", "")).toBe(true);
  expect(holdsKind("date", "It was installed by 14 people.", "")).toBe(false);
  expect(holdsKind("age", "She is 34 years old.", "")).toBe(true);
  expect(holdsKind("age", "Nobody is of one age.", "")).toBe(false);
  expect(holdsKind("age", "在英国求学6年后", "")).toBe(false);
  expect(holdsKind("duration", "A search may take 60 seconds.", "")).toBe(true);
  expect(holdsKind("duration", "It is kept as long as its run.", "")).toBe(true);
  expect(holdsKind("duration", "It is kept by 3 captains.", "")).toBe(false);
});

test("a person is named by a name that the question does not hold", () => {
  const asked = "Who founded Aker Yard?";
  expect(holdsKind("person", "Aker Yard was founded by Ada Penrose.", asked)).toBe(true);
  expect(holdsKind("person", "Aker Yard was founded in haste.", asked)).toBe(false);
  expect(holdsKind("person", "Founded in haste, Aker Yard grew.", asked)).toBe(false);
});
