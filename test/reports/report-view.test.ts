import { describe, expect, it } from "vitest";
import { renderMarkdown, toMarkdown } from "../../src/reports/markdown.ts";
import { buildView } from "../../src/reports/view/build-view.ts";
import type { ReportView } from "../../src/reports/view/report-view.ts";
import { sampleRun } from "./sample-run.ts";

const run = sampleRun();
const facts = { ...run, program: "dossier 0.1.0" };
const answered = { ...run.report, question: run.question, language: "auto", reason: null };
const LIMITS = { optionalToolLoops: 3, steps: 50, costUsd: null, seconds: 600, downloads: 12 };
/** Returns the rows of a part of the appendix. */
const rowsOf = ({ appendix }: ReportView, ...titles: readonly string[]) =>
  appendix.find(({ title }) => titles.includes(title))?.tables[0]?.rows ?? [];
const logOf = (view: ReportView) => rowsOf(view, "Search log", "查找记录");
const receiptOf = (view: ReportView) => rowsOf(view, "Receipt", "运行记录");
const unanswered = { ...answered, claims: [], citations: [], reason: "来源里没有“首都”。" };

describe("the view of a report", () => {
  it.each([
    ["an answer", answered, "## 查找记录"],
    ["no answer", unanswered, "## 查找记录"],
  ])("gives a file of %s that begins with the text of the run", (_, content, next) => {
    const [text = ""] = renderMarkdown(content).split("## 查找记录");
    expect(text.length).toBeGreaterThan(20);
    expect(toMarkdown(buildView(content, facts), "list").startsWith(`${text}${next}\n`)).toBe(true);
  });

  it("lists a source once, with all of its notes, and no source without a quote", () => {
    const { sources } = buildView(answered, facts);
    expect(sources.map(({ id, notes }) => [id, notes]).slice(0, 2)).toEqual([
      ["S1", [1, 13, 25, 37]],
      ["S2", [2, 14, 26, 38]],
    ]);
    expect(buildView({ ...answered, citations: answered.citations.slice(0, 1) }, facts).sources).toHaveLength(1);
  });

  it("says where in its file a quote stands, in the language of the report", () => {
    const [first, second] = answered.citations;
    if (first === undefined || second === undefined) throw new Error("The sample has citations.");
    const citations = [
      { ...first, place: { sheet: "费用", range: "A4:D4" } },
      { ...second, place: { slide: 3, notes: true as const } },
    ];
    const bylines = (language: string) =>
      buildView({ ...answered, citations, language }, facts).notes.map(({ source }) => source.byline.at(-1));
    expect(bylines("en")).toEqual(["sheet 费用, A4:D4", "notes of slide 3"]);
    expect(bylines("zh")).toEqual(["工作表 费用，A4:D4", "第 3 张幻灯片的备注"]);
    const markdown = toMarkdown(buildView({ ...answered, citations: [{ ...first, place: { page: 7 } }], language: "en" }, facts), "list");
    expect(markdown).toContain(", page 7");
  });

  it("names a source that the report does not describe by its id, without a link", () => {
    const view = buildView({ ...answered, sources: [] }, facts);
    expect(view.notes[0]?.source).toMatchObject({ title: "S1", href: null, address: "" });
  });

  it("is labelled in the requested language, whatever the language of the question", () => {
    expect(buildView({ ...answered, language: "en-GB" }, facts).standing).toEqual([
      "Nobody judged whether this answers the question. Checked by code: 1 of 41 sentences is not verified.",
      "41 sentences, checked by code: 40 quoted word for word; 1 not verified.",
    ]);
  });

  it("says in one line whether it answers, or without an answer what is missing", () => {
    const said = { answers: "partly" as const, missing: ["成本。", "利润"], language: "en" };
    expect(buildView({ ...answered, ...said }, facts).standing[0]).toBe(
      "Judged by a model: answers the question in part. Checked by code: 1 of 41 sentences is not verified. Missing: 成本; 利润.",
    );
    expect(buildView({ ...answered, ...said, answers: null, language: "zh" }, facts).standing[0]).toBe(
      "是否回答了问题，未经判断。程序核对：41 句中有 1 句未核实。缺少：成本；利润。",
    );
    const { standing, noAnswer } = buildView({ ...unanswered, ...said, answers: "not" }, facts);
    expect([standing, noAnswer.at(-1)]).toEqual([[], "Missing: 成本; 利润."]);
  });

  it("begins the headings below the title, has contents if it is long, and skips what there is not", () => {
    const label = { support: null, reason: null };
    const heading = (level: number) => ({ kind: "heading" as const, level, text: `§${level}`, ...label });
    const blocks = [3, 4, 6, 3, 3].map(heading);
    const long = { kind: "paragraph" as const, sentences: [...Array.from({ length: 41 }, () => 0), 99] };
    const view = buildView({ ...answered, blocks: [...blocks, heading(3), heading(3), long] }, facts);
    expect(view.blocks.map((block) => (block.kind === "heading" ? block.depth : block.kind))).toEqual([1, 2, 4, 1, 1, 1, 1, "paragraph"]);
    expect(view.contents.map(({ number }) => number)).toEqual([1, 2, 4, 5, 6, 7]);
    expect(view.blocks.at(-1)).toMatchObject({
      sentences: expect.arrayContaining([expect.objectContaining({ citations: [{ number: 1, retracted: false }] })]),
    });
    expect([view.leadLength, buildView({ ...answered, blocks: [long, ...blocks] }, facts).leadLength]).toEqual([1, 1]);
    expect(buildView({ ...answered, blocks: [...blocks, long] }, facts).contents).toEqual([]);
  });

  it("fills the rows of a table, and writes lists that follow each other so that Markdown keeps them apart", () => {
    const said = (text: string) => ({ ...answered.claims[0]!, text, citations: [] });
    const claims = ["a | 1 | ", "b", "c |  | 3 | 4", "x", "y", "z"].map(said);
    const list = (start: number | null, ...sentences: number[]) => {
      const items = sentences.map((sentence, index) => ({ level: index * 2, sentences: [sentence] }));
      return start === null ? { kind: "list" as const, items } : { kind: "numbered-list" as const, start, items };
    };
    const table = {
      kind: "table" as const,
      head: ["h"],
      rows: [0, 1, 2],
      support: "unverified" as const,
      reason: "date_not_in_quote: 2031",
    };
    const blocks = [table, list(9, 3, 4), list(9, 5), list(null, 3), list(null, 4), list(null, 5)];
    const markdown = renderMarkdown({ ...answered, language: "en", claims, citations: [], blocks });
    expect(
      markdown.slice(markdown.indexOf("|"), markdown.indexOf("Nobody judged")),
    ).toBe(`| h **(not verified: a date is not in the quotes: “2031”)** |  |  |  |
| --- | ---: | ---: | ---: |
| a | 1 | – | – |
| b | – | – | – |
| c | – | 3 | 4 |

9. x
   - y

9) z

- x

* y

- z

`);
  });

  it("has the words of the ledger and of the ending in its language", () => {
    expect(new Set(logOf(buildView(answered, facts)).map(([what]) => what))).toEqual(new Set(["查找", "工具", "下载"]));
    expect(receiptOf(buildView(answered, facts))).toContainEqual(["结束方式", "完成"]);
    expect(new Set(logOf(buildView({ ...answered, language: "en" }, facts)).map(([what]) => what))).toEqual(
      new Set(["search", "tool", "download"]),
    );
  });

  it("tells which limits of its depth the settings lowered, and to what", () => {
    const lowered = { lowered: ["modelCalls", "tokens"], limits: { ...LIMITS, modelCalls: 5, tokens: 30_000 } };
    const rowOf = (language: string) =>
      receiptOf(buildView({ ...answered, language }, { ...facts, ...lowered })).map((row) => row.join(": "));
    expect(rowOf("en")).toContain("Lowered by settings: Model calls 5, Tokens 30,000");
    expect(rowOf("zh")).toContain("设置所限: 模型调用 5, 词元 30,000");
    expect(receiptOf(buildView(answered, facts)).map(([name]) => name)).not.toContain("设置所限");
  });

  it("says how many rows of a long ledger it leaves out", () => {
    const entry = run.report.ledger[0];
    const ledger = entry === undefined ? [] : Array.from({ length: 612 }, () => entry);
    const view = buildView({ ...answered, ledger }, facts);
    expect(logOf(view)).toHaveLength(500);
    expect(toMarkdown(view, "footnotes")).toContain("另有 112 项");
  });

  it("shows a text once, however often todos have read it", () => {
    const [entry] = run.report.ledger;
    if (entry === undefined) throw new Error("the ledger is empty");
    const reused = { ...entry, outcome: "reused", ms: 0 } as const;
    const other = { ...reused, target: "另一个网页" };
    const view = buildView({ ...answered, ledger: [entry, reused, other, reused, entry] }, facts);
    expect(logOf(view).map(([, , outcome]) => outcome)).toEqual(["找到（3）", "沿用先前的结果", "找到（3）"]);
    expect(view.appendix[0]?.lines).toEqual([]);
  });
});
