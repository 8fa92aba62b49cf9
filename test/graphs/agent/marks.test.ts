import { expect, it } from "vitest";
import { sentencesOf } from "../../../src/domain/blocks.ts";
import { isChecked } from "../../../src/domain/report.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { uncited, withUncitedNote } from "../../helpers/uncited.ts";
import { child, SUPERVISOR, startTeam } from "../team/team-under-test.ts";
import { type Asked, startAgent } from "./agent-under-test.ts";

const SEARCH = say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor" } }]);

/** The text of content events, joined: those of drafts, or all others. */
const textOf = ({ of }: Asked, isDraft: boolean): string =>
  of("content")
    .filter(({ draft = false }) => draft === isDraft)
    .map(({ delta }) => delta)
    .join("");

it.each([
  [
    "Acme",
    'Acme went bankrupt in 2021. [S9: "filed for bankruptcy in 2021"] It owed $5 billion.',
    ["Acme went bankrupt in 2021.", "It owed $5 billion."],
    "not verified",
  ],
  [
    "阿克米",
    "阿克米公司于2021年破产。[S9：“二〇二一年申请破产”] 它欠款50亿美元。",
    ["阿克米公司于2021年破产。", "它欠款50亿美元。"],
    "未核实",
  ],
])("marks an answer of %s whose only citation is invented", async (_, answer, sentences, mark) => {
  const agent = await startAgent([SEARCH, say.text(answer)]);
  const asked = await agent.ask(sentences.join(" "));
  const { claims = [], citations, coverage, blocks = [], struck, markdown = "" } = asked.run.report ?? {};
  expect(claims.map(({ text, support, supported }) => [text, support, supported])).toEqual(
    sentences.map((text) => [text, "unverified", false]),
  );
  expect(claims[0]?.reason).toMatch(/^unknown_source/);
  expect([citations, struck, coverage?.bySupport?.unverified]).toEqual([[], [], 2]);
  expect(blocks.flatMap(sentencesOf)).toEqual([0, 1]);
  expect(markdown.split(mark).length - 1).toBeGreaterThanOrEqual(2);
  expect(markdown).not.toContain("S9");
  expect(textOf(asked, false)).toBe(markdown);
});

it("shows an answer without citations as the model wrote it", async () => {
  const text = "# Hello\n\n1. You can ask me.\n2. I search.\n\n```js\nlet a = 1;\n```";
  const asked = await (await startAgent([say.text(text)])).ask("Hi");
  expect(asked.run.report?.markdown).toBe(text);
  expect([textOf(asked, true), textOf(asked, false)]).toEqual([text, text]);
  expect(asked.run.report?.claims.some(isChecked)).toBe(false);
});

it("says below an answer with figures that it cites nothing, and does not tell that to a later run of the thread", async () => {
  const text = "Acme went bankrupt in 2021. It owed $5 billion.";
  const agent = await startAgent([say.text(text), say.text("Hello.")]);
  const { run } = await agent.ask("What became of Acme?", { threadId: "acme" });
  expect(run.report?.markdown).toBe(uncited(text));
  await agent.ask("Hi", { threadId: "acme" });
  expect(agent.server.requests[1]?.body.messages.map(({ content }) => content)).toContain(text);
});

it("streams text before a call as a draft, and the checked answer alone as no draft", async () => {
  const first = say.toolCalls([{ name: "calculator", arguments: { expression: "1 + 1" } }], { text: "I calculate." });
  const asked = await (await startAgent([first, say.text("It is 2.")])).ask("How much is 1 + 1?");
  expect(textOf(asked, true)).toBe("I calculate.It is 2.");
  expect(asked.of("content").filter(({ draft }) => draft === undefined)).toMatchObject([
    { callId: "report", path: "", delta: uncited("It is 2.") },
  ]);
});

it("streams the texts of children and of the supervisor as drafts", async () => {
  const team = await startTeam({
    alpha: () => say.text("Alpha is done."),
    beta: () => say.text('Acme owed $5 billion. [S9: "owed five billion"]'),
    [SUPERVISOR]: () => say.text('Acme owed $5 billion. [P7: "owed five billion"]\n\nAll is done.'),
  });
  const {
    run,
    events,
    asked,
    child: of,
  } = await team.ask("What now?", { pattern: "concurrent", children: [child("alpha"), child("beta")] });
  const content = events.filter((event) => event.type === "content");
  expect(content.filter(({ draft }) => draft === undefined)).toMatchObject([{ node: "supervise", callId: "report", path: "" }]);
  expect(content.filter(({ draft }) => draft).map(({ path }) => path)).toEqual(expect.arrayContaining(["child:alpha", "child:beta", ""]));
  expect(run.report?.claims.map((claim) => [claim.text, isChecked(claim)])).toEqual([
    ["Acme owed $5 billion.", false],
    ["All is done.", false],
  ]);
  expect(run.report?.claims[0]?.reason).toMatch(/^unknown_source/);
  expect(run.report?.markdown).toContain("not verified");
  expect([of("alpha").output, of("beta").output]).toEqual(["Alpha is done.", "Acme owed $5 billion. (not verified)"]);
  const told = asked(SUPERVISOR)
    .flatMap((request) => contentsOf(request, "user"))
    .join("\n");
  expect(told).toMatch(/beta has finished:\n<data beta \w+>\nAcme owed \$5 billion\.\n<\/data/);
});

it.each([
  ["ANSWERS: partly\nMISSING: the height; who paid", { answers: "partly", missing: ["the height", "who paid"] }],
  ["回答：部分\n缺少：高度；谁付了钱", { answers: "partly", missing: ["高度", "谁付了钱"] }],
])("keeps what a model says of its answer apart from the answer: %s", async (closing, said) => {
  const answer = 'Ada Penrose built it. [S1: "built in 1874 by Ada Penrose"]';
  const agent = await startAgent([SEARCH, say.text(`${answer}\n\n${closing}`, { pieceLength: 3 })]);
  const asked = await agent.ask("Who built the lighthouse of Aldermoor?");
  expect(asked.run.report).toMatchObject(said);
  expect(textOf(asked, true).trim()).toBe("Ada Penrose built it.");
  expect(asked.run.report?.claims).toHaveLength(1);
  expect(asked.run.report?.markdown).not.toContain("ANSWERS");
});

it.each([
  ["ANSWERS: not\nMISSING: the owner", ["the owner"]],
  ["回答：没有\n缺少：所有者", ["所有者"]],
])("keeps what an answer without a checked sentence lacks, and no verdict: %s", async (closing, missing) => {
  const { run } = await (await startAgent([SEARCH, say.text(`I do not know it.\n\n${closing}`)])).ask("Who owns the lighthouse?");
  expect(run.report).toMatchObject({ answers: null, missing });
});

it.each(["ANSWERS: fully", "回答：完全"])("takes the text beside a call of finish_task that has only %s", async (closing) => {
  const finish = say.toolCalls([{ name: "finish_task", arguments: { answer: closing } }], { text: "Ada Penrose built it. 由她建成。" });
  const { run } = await (await startAgent([finish])).ask("Who built the lighthouse of Aldermoor?");
  expect(run.report?.markdown).toBe("Ada Penrose built it. 由她建成。");
});

it("says below an answer without figures that it cites nothing if something was found that it could cite", async () => {
  const agent = await startAgent([SEARCH, say.text("The lighthouse was sold. Its keeper fled.")]);
  const { run } = await agent.ask("Who owns the lighthouse of Aldermoor?");
  expect(run.report?.markdown).toBe(withUncitedNote("The lighthouse was sold. Its keeper fled."));
});
