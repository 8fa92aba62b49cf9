import { describe, expect, it } from "vitest";
import type { ReportContent, Source } from "../../src/domain/report.ts";
import { renderMarkdown } from "../../src/reports/markdown.ts";
import { escapeMarkdown, shorten } from "../../src/reports/text.ts";
import { NO_BLOCKS, QUOTED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";

const SOURCE: Source = {
  id: "S1",
  kind: "corpus",
  title: "概览 [draft]",
  url: "corpus:zh/%E6%A6%82%E8%A7%88.md",
  publishedAt: null,
  foundBy: "corpus",
  score: 1,
  contentHash: "a".repeat(64),
  status: "read",
  failure: null,
};

const CONTENT: ReportContent = {
  ...NO_BLOCKS,
  question: "What is `it`?",
  language: "en",
  reason: null,
  claims: [
    {
      text: "A <b>sentence</b> with *stars*.",
      citations: [1],
      ...QUOTED,
      section: "Words",
      origins: 1,
    },
  ],
  citations: [{ id: 1, sourceId: "S1", contentHash: "a".repeat(64), start: 3, end: 34, quote: "A <b>sentence</b> with *stars*." }],
  closest: [],
  sources: [SOURCE],
  coverage: coverage(1),
  ledger: [
    { what: "search", source: "corpus", target: "q", outcome: "found", results: 1, failure: null, detail: null, ms: 1.4 },
    { what: "search", source: "web", target: "q", outcome: "nothing", results: 0, failure: null, detail: null, ms: 2 },
    {
      what: "download",
      source: "web",
      target: "https://example.org/a|b",
      outcome: "failed",
      results: 0,
      failure: "blocked",
      detail: "x",
      ms: 3,
    },
  ],
};

describe("the report as Markdown", () => {
  it("has sentences by subtopic, numbered notes, sources and the ledger, and repeats no quote that is the sentence", () => {
    expect(renderMarkdown(CONTENT)).toBe(`# What is \`it\`?

Chosen by code: 1 passage, word for word. Nobody judged whether it answers the question.

## Words

- A &lt;b>sentence&lt;/b> with \\*stars\\*. [1]

## Notes

1. Word for word — 概览 \\[draft\\], zh/概览.md

## Sources

- 概览 \\[draft\\], \`zh/概览.md\` [1]

## Search log

| What | Where | Outcome |
| --- | --- | --- |
| search | corpus: “q” | found (1) |
| search | web: “q” | looked, found nothing |
| download | web: https://example.org/a\\|b | could not be read: it refused access |
`);
  });

  it("says in the question's language that there is no answer, and why", () => {
    const text = renderMarkdown({
      ...CONTENT,
      question: "法国的首都是哪里？",
      language: "auto",
      claims: [],
      citations: [],
      ledger: [],
      reason: "来源里没有“首都”。",
    });
    expect(text).toBe("# 法国的首都是哪里？\n\n程序判断：没有找到答案。\n\n来源里没有“首都”。\n");
  });

  it("reports an unavailable model in the language of the report", () => {
    const detail = "Rules wrote the report instead. The connection failed.";
    const missed = {
      what: "model" as const,
      source: "m",
      target: "report",
      outcome: "failed" as const,
      results: 0,
      failure: "unreachable",
      detail,
      ms: 1,
    };
    const content = { ...CONTENT, claims: [], citations: [], ledger: [missed] };
    expect(renderMarkdown({ ...content, language: "zh" })).toContain("\n\n- 模型 m: 无法连接\n");
    expect(renderMarkdown({ ...content, language: "zh" })).not.toContain("Rules");
    expect(renderMarkdown({ ...content, language: "en" })).toContain(`\n\n- model m: could not be reached — ${detail}\n`);
  });

  it("reports failed or interrupted tools as such, not as sources that could not be reached", () => {
    const entry = { what: "tool" as const, target: "{}", outcome: "failed" as const, results: 0, detail: null, ms: 1 };
    const ledger = [
      { ...entry, source: "a__读取", failure: "tool_failed" },
      { ...entry, source: "a__write", failure: "interrupted" },
    ];
    const content = { ...CONTENT, claims: [], citations: [], ledger };
    const english = "- tool a_\\_读取: failed\n- tool a_\\_write: was interrupted; whether it was done is not known\n";
    expect(renderMarkdown({ ...content, language: "en" })).toContain(english);
    expect(renderMarkdown({ ...content, language: "zh" })).toContain(
      "- 工具 a_\\_读取: 执行失败\n- 工具 a_\\_write: 调用中断，是否已执行不得而知\n",
    );
  });

  it.each([
    ["en", "The model's text was cut off before its end; what it said in whole sentences stands here, and the rest is missing."],
    ["zh", "模型的文字在结束之前被截断；这里只有已经写完的句子，其余部分缺失。"],
  ])("says below the lead in %s that the text was cut off", (language, line) => {
    expect(renderMarkdown({ ...CONTENT, language, cutOff: true })).toContain(`\n\n${line}\n\n## `);
    expect(renderMarkdown({ ...CONTENT, language })).not.toContain(line);
  });

  it("reports what a search left out, because an incomplete search does not show that there is nothing", () => {
    const detail = "3 of 4 files could not be indexed: 2 unreadable, 1 empty";
    const ledger = [
      { what: "search" as const, source: "corpus", target: "q", outcome: "nothing" as const, results: 0, failure: null, detail, ms: 2 },
    ];
    const text = renderMarkdown({ ...CONTENT, claims: [], citations: [], sources: [], ledger });
    expect(text).toContain("Judged by code: no answer was found.");
    expect(text).toContain(`- search in corpus: ${detail}`);
    expect(text).toContain(`| search | corpus: “q” | looked, found nothing; ${detail} |`);
  });

  it("names authors, venue, year and DOI of a publication, and marks a retraction everywhere", () => {
    const publication = {
      authors: ["Ada Penrose", "王小明", "J. *Núñez*", "Bo Tolmere"],
      doi: "10.5555/lamp.1",
      arxivId: null,
      pmid: null,
      venue: "Journal of Lamps",
      licence: null,
      retracted: true,
      fullTextUrl: null,
    };
    const source = { ...SOURCE, title: "Lamps", url: "https://pubmed.ncbi.nlm.nih.gov/1/", publishedAt: "2021-03-04", publication };
    const text = renderMarkdown({ ...CONTENT, sources: [source] });
    expect(text).toContain("- A &lt;b>sentence&lt;/b> with \\*stars\\*. [1] **RETRACTED**\n");
    expect(text).toContain("\n1. Word for word — **RETRACTED** Lamps, Journal of Lamps, 2021-03-04\n");
    expect(text).toContain(
      "\n- **RETRACTED** Lamps, Ada Penrose, 王小明, J. \\*Núñez\\* et al., Journal of Lamps, 2021, doi:10.5555/lamp.1, <https://pubmed.ncbi.nlm.nih.gov/1/> [1]\n",
    );
    expect(renderMarkdown({ ...CONTENT, language: "zh", sources: [source] })).toContain(
      "\n- **已撤稿** Lamps，Ada Penrose、王小明、J. \\*Núñez\\* 等，",
    );
    const standing = {
      ...source,
      url: "https://doi.org/10.5555/lamp.1",
      publication: { ...publication, authors: [], venue: null, retracted: false },
    };
    const plain = renderMarkdown({ ...CONTENT, sources: [standing] });
    expect(plain).toContain("\n- Lamps, 2021, <https://doi.org/10.5555/lamp.1> [1]\n");
    expect(plain).not.toContain("RETRACTED");
  });

  it("links addresses of the web and nothing else", () => {
    const at = (url: string): string => renderMarkdown({ ...CONTENT, sources: [{ ...SOURCE, url }] });
    expect(at("https://example.org/a b>(c)")).toContain("<https://example.org/a%20b%3E%28c%29>");
    expect(at("javascript:alert(1)")).toContain("`javascript:alert(1)`");
  });
});

describe("foreign text in Markdown", () => {
  it("is shown verbatim and adds no markup", () => {
    expect(escapeMarkdown("optional_tool and _this_ [x](y) a|b <i> # no\n\n1. x")).toBe(
      "optional_tool and \\_this_ \\[x\\](y) a\\|b &lt;i> # no 1. x",
    );
    expect(escapeMarkdown("见 `https://a.example/_x*`（未检索到的地址），a<b、`Map<string>[0]`、Map<string, T> 和 it`s <b>")).toBe(
      "见 `https://a.example/_x*`（未检索到的地址），a<b、`Map<string>[0]`、Map<string, T> 和 it\\`s &lt;b>",
    );
    expect(shorten("见 `https://a.example/abc`（未检索到的地址）", 20)).toBe("见 `https://a.example…`");
    expect(escapeMarkdown("# heading")).toBe("\\# heading");
    expect(escapeMarkdown("1. item")).toBe("1\\. item");
    expect(escapeMarkdown("14.6 GWh")).toBe("14.6 GWh");
    expect(escapeMarkdown("- item &amp; &#60; R&D")).toBe("\\- item &amp;amp; &amp;#60; R&D");
  });
});
