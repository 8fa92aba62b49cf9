import type { FootnoteDefinition, Nodes, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { afterAll, describe, expect, it } from "vitest";
import type { ReportedRun } from "../../src/domain/ports/run-service.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { QUOTED, UNVERIFIED } from "../helpers/claims.ts";
import { sampleRun } from "./sample-run.ts";

const files = createReportFiles({ program: "dossier 0.1.0" });
afterAll(() => files.close());

interface Parsed {
  readonly markdown: string;
  /** What is referred to, reference by reference. */
  readonly references: readonly string[];
  /** Returns the text of each footnote by its label. */
  readonly footnotes: ReadonlyMap<string, string>;
  readonly blocks: readonly RootContent[];
}

async function parse(run: ReportedRun): Promise<Parsed> {
  const markdown = new TextDecoder().decode(await files.render(run, "md", new AbortController().signal));
  const { children: blocks } = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const nodes = blocks.flatMap(everyNode);
  const definitions = nodes.filter((node): node is FootnoteDefinition => node.type === "footnoteDefinition");
  return {
    markdown,
    references: nodes.flatMap((node) => (node.type === "footnoteReference" ? [node.identifier] : [])),
    footnotes: new Map(definitions.map((definition) => [definition.identifier, textOf(definition)])),
    blocks,
  };
}

function everyNode(node: Nodes): Nodes[] {
  return [node, ...("children" in node ? node.children.flatMap(everyNode) : [])];
}

function textOf(node: Nodes): string {
  if ("children" in node) return node.children.map(textOf).join("");
  return "value" in node ? node.value : "";
}

/** Returns the sample with other claims and quotes. */
function runWith(report: Partial<ReportedRun["report"]>): ReportedRun {
  const run = sampleRun();
  return { ...run, report: { ...run.report, ...report } };
}

const CLAIM = { ...QUOTED, section: "", origins: 1 };

describe("the Markdown file of a report", () => {
  it("has a footnote for every quote: each is referred to, each reference leads to one, and quotes read as they were", async () => {
    const run = sampleRun();
    const { references, footnotes } = await parse(run);
    const numbers = Array.from({ length: 40 }, (_, index) => String(index + 1));
    expect([...footnotes.keys()]).toEqual(numbers);
    expect([...new Set(references)]).toEqual(numbers);
    expect(references).toHaveLength(48);
    for (const { id, quote } of run.report.citations) expect(footnotes.get(String(id))?.startsWith(`“${quote}”——`)).toBe(true);
  });

  it("reads like this", async () => {
    const { claims, citations } = sampleRun().report;
    const { markdown } = await parse(runWith({ claims: claims.slice(1, 5), citations: citations.slice(1, 5) }));
    expect(markdown.slice(0, markdown.indexOf("## 来源"))).toBe(`# 营业收入增长了多少（revenue）？

## Revenue 营业收入

- 第2条：收入比上年增长了 2.5%，而成本下降（见引文）。[^2]
- Finding 3: revenue grew by 3.5 % over the year before, and costs fell. [^3] **已撤稿**
- 第4条：收入比上年增长了 4.5%，而成本下降（见引文）。[^4]
- Finding 5: revenue grew by 5.5 % over the year before, and costs fell. [^4][^5]

是否回答了问题，未经判断。

共 4 句，由程序核对：4 句为引文原话。

[^2]: \\[2\\] “中国人民银行公布的数据显示，广义货币（M2）余额为 313.53 万亿元，同比增长 7.3%, 2/40.”——On Growth_2: 100% of {Costs}，Journal of Samples & Tests，2024-05-06

[^3]: \\[3\\] “The café in Ústí nad Labem was run by Antonín Dvořák's niece, who kept a well-known ledger, 3/40.”——**已撤稿** On Growth_3: 100% of {Costs}，Journal of Samples & Tests，2024-05-06

[^4]: \\[4\\] “标点符号不应出现在行首：逗号，句号。以及《书名号》、“引号”与English words混排的情形, 4/40.”——年度报告 4 \\[draft\\]，zh/报告-4.md，2024-05-06

[^5]: \\[5\\] “Line 3 \\| 1,204 \\| 1,377 \\| +14.4 % \\| see note (b), 5/40.”——Annual Report 5 — Überblick，example.org，2024-05-06

`);
  });

  it("refers to footnotes from sentences alone: the list of sources has their numbers", async () => {
    const { blocks } = await parse(sampleRun());
    const at = blocks.findIndex((block) => block.type === "heading" && textOf(block) === "来源");
    const list = blocks[at + 1];
    expect(list?.type).toBe("list");
    expect(list === undefined ? [] : everyNode(list).filter(({ type }) => type === "footnoteReference")).toEqual([]);
    expect(list === undefined ? "" : textOf(list)).toContain("[1][13][25][37]");
  });

  it("prints the number of a footnote if a viewer would number it differently, and only then", async () => {
    const { citations } = sampleRun().report;
    const claims = [2, 1].map((number) => ({ ...CLAIM, text: `Sentence ${number}.`, citations: [number] }));
    const { footnotes } = await parse(runWith({ claims, citations: citations.slice(0, 2) }));
    expect([...footnotes.values()].map((text) => text.slice(0, 5))).toEqual(["[1] “", "[2] “"]);
    const inOrder = await parse(runWith({ claims: claims.toReversed(), citations: citations.slice(0, 2) }));
    expect([...inOrder.footnotes.values()].map((text) => text.slice(0, 1))).toEqual(["“", "“"]);
  });

  it("keeps each quote without a sentence, and each number without a quote", async () => {
    const { citations } = sampleRun().report;
    const claims = [
      { ...CLAIM, text: "It stands on two.", citations: [1, 99] },
      {
        ...CLAIM,
        text: "It stands on none.",
        citations: [2],
        ...UNVERIFIED,
      },
    ];
    const { markdown, references, footnotes } = await parse(runWith({ claims, citations: citations.slice(0, 3) }));
    expect(markdown).toContain(
      "- It stands on two. [^1][99]\n- It stands on none. [^2] **（未核实：没有引用来源）**\n\n是否回答了问题，未经判断。程序核对：2 句中有 1 句未核实。\n\n共 2 句，由程序核对：1 句为引文原话；1 句未核实。\n\n## 注释\n\n[^3] **已撤稿**\n\n[^1]: “",
    );
    expect(references).toEqual(["1", "2", "3"]);
    expect([...footnotes.keys()]).toEqual(["1", "2", "3"]);
  });

  it("treats footnotes in source texts as plain text, quoted letter by letter", async () => {
    const { citations } = sampleRun().report;
    const quotes = ["[^1]: mine", "^[inline] and [^2]", "见注[^1]：“引文”！", "- [ ] a\n\n    code\n\n[^9]: x", "wow![^1]"];
    const claims = quotes.map((text, index) => ({ ...CLAIM, support: "paraphrased" as const, text, citations: [index + 1, 1] }));
    const { references, footnotes } = await parse(
      runWith({ claims, citations: quotes.map((quote, index) => ({ ...citations[index % 2], id: index + 1, quote })) as never }),
    );
    expect(references).toEqual(["1", "1", "1", "2", "1", "3", "1", "4", "1", "5"]);
    expect([...footnotes.values()].map((text) => text.slice(0, text.indexOf("——")))).toEqual([
      "“[^1]: mine”",
      "“^[inline] and [^2]”",
      "“见注[^1]：“引文”！”",
      "“- [ ] a code [^9]: x”",
      "“wow![^1]”",
    ]);
  });

  it("is rendered separately: the text of a run keeps its numbers in brackets", async () => {
    const { blocks, markdown } = await parse(sampleRun());
    expect(markdown).not.toMatch(/^\d+\. “/m);
    expect(blocks.filter(({ type }) => type === "list")).toHaveLength(4);
  });
});
