import { expect, it } from "vitest";
import { isChecked } from "../../../src/domain/report.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { uncited } from "../../helpers/uncited.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";

const CALCULATION = { name: "calculator", arguments: { expression: "12 × 34" } };
const SEARCH = { name: "search", arguments: { query: "lighthouse Aldermoor" } };

it("answers a simple question with one call and two messages", async () => {
  const agent = await startAgent([say.text("你好！有什么可以帮您？")]);
  const { run, of } = await agent.ask("你好");
  expect(run.termination).toMatchObject({ reason: "answered" });
  expect(run.report?.markdown).toBe(uncited("你好！有什么可以帮您？"));
  expect(run.report).toMatchObject({ citations: [], sources: [], ledger: [] });
  expect(agent.server.requests.length).toBe(1);
  expect(agent.server.requests[0]?.body.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(of("node-started").map(({ node }) => node)).toEqual(["think", "conclude"]);
  const content = Map.groupBy(of("content"), ({ draft }) => draft ?? false);
  const texts = [...content.values()].map((events) => events.map(({ delta }) => delta).join(""));
  expect(texts).toEqual(["你好！有什么可以帮您？", uncited("你好！有什么可以帮您？")]);
  expectNoRefusal(agent);
});

it("answers five mixed questions of a thread with seven calls and fourteen messages", async () => {
  const agent = await startAgent([
    say.text("你好！"),
    say.toolCalls([CALCULATION]),
    say.text("408"),
    say.text("我是 Dossier。"),
    say.toolCalls([SEARCH]),
    say.text('It was built in 1874. [S1: "was built in 1874 by Ada Penrose"]'),
    say.text("You are welcome!"),
  ]);
  let added = 0;
  const questions = ["你好", "12 乘以 34 是多少？", "你是谁？", "When was the lighthouse of Aldermoor built?", "Thanks!"];
  for (const question of questions) {
    const before = agent.server.requests.length;
    const { run } = await agent.ask(question, { threadId: "five" });
    expect(run.termination?.reason).toBe("answered");
    const first = agent.server.requests[before]?.body.messages.length ?? 0;
    const last = agent.server.requests.at(-1)?.body.messages.length ?? 0;
    // The question, what the loop added before the last request, and the answer.
    added += 1 + (last - first) + 1;
  }
  expect(agent.server.requests.length).toBe(7);
  expect(added).toBe(14);
  expectNoRefusal(agent);
});

it("cites its sources, with the quote at its place in the document", async () => {
  const agent = await startAgent([
    say.toolCalls([SEARCH]),
    say.text('The lighthouse was built in 1874. [S1: "was built in 1874 by Ada Penrose"] It is famous. [S1: "it is the most famous one"]'),
  ]);
  const { run } = await agent.ask("When was the lighthouse of Aldermoor built?");
  const report = run.report;
  expect(report?.claims.map((claim) => [claim.text, isChecked(claim), claim.reason])).toEqual([
    ["The lighthouse was built in 1874.", true, null],
    ["It is famous.", false, expect.stringMatching(/^quote_not_found/)],
  ]);
  expect(report?.citations.map(({ quote }) => quote)).toEqual(["was built in 1874 by Ada Penrose"]);
  expect(report?.coverage).toMatchObject({ sentences: 2, bySupport: { unverified: 1 } });
  expect(report?.markdown).toContain("The lighthouse was built in 1874. [1]");
  expect(report?.sources.find(({ id }) => id === report.citations[0]?.sourceId)?.status).not.toBe("found");
  expect(report?.ledger.map(({ what, outcome }) => `${what} ${outcome}`)).toEqual(["search found", "download found", "download found"]);
  expectNoRefusal(agent);
});

it("shows a later question the sentences of an earlier answer, and nothing else of its report", async () => {
  const agent = await startAgent([
    say.toolCalls([SEARCH]),
    say.text('It was built in 1874. [S1: "was built in 1874 by Ada Penrose"]'),
    say.text("艾达·彭罗斯。"),
  ]);
  await agent.ask("When was the lighthouse of Aldermoor built?", { threadId: "cited" });
  await agent.ask("谁建的？", { threadId: "cited" });
  expect(agent.server.requests[2]?.body.messages.slice(1).map(({ content }) => content)).toEqual([
    "When was the lighthouse of Aldermoor built?",
    "It was built in 1874.",
    expect.stringMatching(/^谁建的？\n\nTool results from earlier questions of this conversation/),
  ]);
  expectNoRefusal(agent);
});

it.each([
  ["zh-Hant", "Traditional Chinese (zh-Hant)"],
  ["auto", "Chinese (zh)"],
])("is instructed to answer in the language of the request: %s", async (language, name) => {
  const agent = await startAgent([say.text("好的，灯塔建于1874年，由艾达设计。")]);
  await agent.ask("灯塔建于何时？", { language });
  expect(JSON.stringify(agent.server.requests[0]?.body.messages[0])).toContain(`answer in ${name}.`);
});
