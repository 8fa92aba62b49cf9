import { expect, it } from "vitest";
import { sentencesOf } from "../../../src/domain/blocks.ts";
import { isChecked } from "../../../src/domain/report.ts";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { child, type Does, SUPERVISOR, startTeam } from "./team-under-test.ts";

const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
const LAMP = "Its lamp burns whale oil";
const ZH = "奥尔德穆尔灯塔建于1874年，由艾达·彭罗斯设计。";

/** Searches, then answers with the quote under the id that the text has. */
const finds =
  (query: string, answer: (idOf: (text: string) => string) => string): Does =>
  (request, results) => {
    if (results === 0) return say.toolCalls([{ name: "search", arguments: { query } }]);
    const shown = [...contentsOf(request, "user"), ...contentsOf(request, "tool")].join("\n");
    return say.text(answer((text) => /\[?(S\d+)(?=[^S]*$)/.exec(shown.slice(0, shown.indexOf(text)))?.[1] ?? "S99"));
  };

const CHILDREN = {
  history: finds(
    "lighthouse Aldermoor built",
    (id) => `Ada Penrose built it in 1874. [${id(BUILT)}: "${BUILT}"]\n\nIt is the finest of all.`,
  ),
  lamp: finds(
    "lighthouse Aldermoor lamp",
    (id) => `It was built in 1874. [${id(BUILT)}: "${BUILT}"] It burns whale oil. [${id(BUILT)}: "${LAMP}"]`,
  ),
  中文: finds("奥尔德穆尔灯塔", (id) => `灯塔建于1874年。[${id(ZH)}: "${ZH}"]`),
} satisfies Record<string, Does>;

const TEAM = { pattern: "concurrent", children: [child("history"), child("lamp"), child("中文")] };
const QUESTION = "When was the lighthouse of Aldermoor built, and what does it burn?";

/** Returns the supervisor's view of a quote. */
const placeOf = (told: string, quote: string): string => new RegExp(`\\[(P\\d+): "${quote}`).exec(told)?.[1] ?? "P99";

it("cites a place that two children have quoted once, and lists its document once", async () => {
  const team = await startTeam({
    ...CHILDREN,
    [SUPERVISOR]: (request) => {
      const told = contentsOf(request, "user").join("\n");
      const marks = [BUILT, ZH].map((quote) => `[${placeOf(told, quote)}: "${quote}"]`).join(" ");
      return say.text(
        `The lighthouse was built in 1874. ${marks}\n\nIt burns whale oil. [${placeOf(told, LAMP)}: "${LAMP}"]\n\nIt is the finest of all. [${placeOf(told, BUILT)}: "${BUILT}"]`,
      );
    },
  });
  const { run, children, asked } = await team.ask(QUESTION, TEAM);
  const told = asked(SUPERVISOR)
    .flatMap((request) => contentsOf(request, "user"))
    .join("\n");
  expect(told).toMatch(/The quoted sources:\n<data sources \w+>\n(?:P\d(?:, P\d)*: [^\n]+ \(document of the user, corpus\)\n){2}<\/data/);
  expect(children.map(({ success }) => success)).toEqual([true, true, true]);
  const { claims = [], citations = [], sources = [], markdown = "" } = run.report ?? {};
  expect(citations.map(({ id, quote }) => [id, quote])).toEqual([
    [1, BUILT],
    [2, ZH],
    [3, LAMP],
  ]);
  expect(claims.map((claim) => [claim.text, claim.citations, isChecked(claim)])).toEqual([
    ["The lighthouse was built in 1874.", [1, 2], true],
    ["It burns whale oil.", [3], true],
    // No child quoted it, and the supervisor's own quote is not accepted.
    ["It is the finest of all.", [], false],
  ]);
  expect(new Set(sources.map(({ id }) => id)).size).toBe(sources.length);
  expect(sources.filter(({ title }) => title.includes("lighthouse of Aldermoor"))).toHaveLength(1);
  expect(markdown).toContain("[1]");
  for (const { contentHash, start, end, quote } of citations)
    expect((await team.dossier.runs.document("default", run.id, contentHash)).text.slice(start, end)).toBe(quote);
});

it("has a bundle that verifies if its children gave their answers as reports of their own", async () => {
  const finishes: Does = (request) =>
    say.toolCalls([{ name: "finish_task", arguments: { answer: `${contentsOf(request, "user").length} 是答案。` } }]);
  const team = await startTeam({ numbers: finishes, 中文: finishes, [SUPERVISOR]: () => say.text("The tower is tall.") });
  const { run } = await team.ask("塔有多高？", { pattern: "sequential", children: [child("numbers"), child("中文")] });
  const bundle = (await Array.fromAsync(team.dossier.runs.bundle("default", run.id))).join("");
  expect(run.report?.markdown).toContain("The tower is tall.");
  expect(verifyBundle(Buffer.from(bundle), `dossier ${team.dossier.version}`).faults).toEqual([]);
});

it("lists the children's findings if the supervisor is unavailable", async () => {
  const team = await startTeam({ ...CHILDREN, [SUPERVISOR]: () => say.text("") });
  const { run } = await team.ask(QUESTION, TEAM);
  expect(run.termination).toEqual({ reason: "completed", node: "supervise", detail: "the children's answers are listed" });
  expect(run.report?.claims.map((claim) => [claim.section, claim.text, isChecked(claim)])).toEqual([
    ["history", "Ada Penrose built it in 1874.", true],
    ["history", "It is the finest of all.", false],
    ["lamp", "It was built in 1874.", true],
    ["lamp", "It burns whale oil.", true],
    ["中文", "灯塔建于1874年。", true],
  ]);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([BUILT, LAMP, ZH]);
  const { blocks = [] } = run.report ?? {};
  const headings = blocks.flatMap((block) => (block.kind === "heading" ? [[block.level, block.text]] : []));
  expect(headings).toEqual([
    [2, "history"],
    [2, "lamp"],
    [2, "中文"],
  ]);
  expect(blocks.flatMap(sentencesOf)).toEqual([0, 1, 2, 3, 4]);
  expect(run.report?.ledger.filter(({ what }) => what === "model")).toHaveLength(1);
});

it("lets a child cite a finding of an earlier child, by the same id", async () => {
  const team = await startTeam({
    history: CHILDREN.history,
    writer: (request) => {
      const told = contentsOf(request, "user").join("\n");
      const id = /\[(S\d+): "The lighthouse/.exec(told)?.[1];
      return say.text(`灯塔建于1874年。[${id}: "${BUILT}"]`);
    },
    [SUPERVISOR]: () => say.text(""),
  });
  const { run, child: of } = await team.ask(QUESTION, {
    pattern: "sequential",
    children: [child("history"), child("writer", { tools: [] })],
  });
  expect(of("writer").output).toBe("灯塔建于1874年。");
  const last = run.report?.claims.at(-1);
  expect(last).toMatchObject({ text: "灯塔建于1874年。", citations: [1] });
  expect(last && isChecked(last)).toBe(true);
  expect(run.report?.citations).toHaveLength(1);
});
