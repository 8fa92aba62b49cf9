import { expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { verifyClaims } from "../../src/domain/citations.ts";
import { answerText } from "../../src/domain/report.ts";
import { createCitedStream, readCitedText } from "../../src/evidence/cited-text.ts";
import type { Evidence } from "../../src/evidence/quote-location.ts";
import { toDocx } from "../../src/reports/docx/render-docx.ts";
import { toHtml } from "../../src/reports/html/render-html.ts";
import { renderMarkdown, toMarkdown } from "../../src/reports/markdown.ts";
import { toPdf } from "../../src/reports/pdf/render-pdf.ts";
import { viewOf } from "../../src/reports/view/build-view.ts";
import { documentOf } from "./bundle/random-bundle.ts";
import { partsOf, textOf } from "./extract-docx.ts";
import { CHINESE, ENGLISH } from "./five-sections.ts";
import { buildRun } from "./report-builder.ts";

const DATE = "2026-11-20T09:13:41.000Z";
/** Files break lines and set marks apart. */
const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

const LANGUAGES = {
  en: {
    outline: ENGLISH,
    document: "Revenue was $27.2 billion. Profit was $1.84 billion. Orion has 300 staff.",
    text:
      '# Orion\n\n## Revenue\n\nRevenue was $27.2 billion. [P1: "Revenue was $27.2 billion"]\n\n## Profit\n\n' +
      '- Profit was $1.84 million. [P1: "Profit was $1.84 billion"]\n- It was sold. [P9: "It was sold to nobody"]\n\n' +
      '## Staff\n\nOrion has 300 staff. [P1: "Orion has 300 staff"]\n\n## Outlook\n\n### Debt\n\nIt has no debt. [P9: "It has no debt"]\n',
    headings: ["Orion", "Revenue", "Profit", "Staff", "Outlook", "Debt"],
    line: "What stood here was taken out: the quote has another amount; the cited source does not exist.",
  },
  zh: {
    outline: CHINESE,
    document: "公司营业收入为148.6亿元。公司净利润为12.5亿元。公司有员工300人。",
    text:
      '# 海岳\n\n## 收入\n\n公司营业收入为148.6亿元。[P1: "公司营业收入为148.6亿元"]\n\n## 利润\n\n' +
      '- 公司净利润为12.5万元。[P1: "公司净利润为12.5亿元"]\n- 公司已出售。[P9: "公司已出售给他人"]\n\n' +
      '## 员工\n\n公司有员工300人。[P1: "公司有员工300人"]\n\n## 展望\n\n### 负债\n\n公司没有负债。[P9: "公司没有负债"]\n',
    headings: ["海岳", "收入", "利润", "员工", "展望", "负债"],
    line: "此处原有内容已删去：与引文中的数字不符；所引来源不存在。",
  },
} as const;

it.each(["en", "zh"] as const)(
  "a section whose sentences are all struck keeps its heading and its place, and says why: %s",
  async (language) => {
    const { outline, document, text, headings, line } = LANGUAGES[language];
    const { contentHash } = documentOf(document, "Orion", "corpus:orion.md");
    const evidence = new Map<string, Evidence>([
      ["P1", { id: "P1", sourceId: "S0", contentHash, text: document, start: 0, end: document.length }],
    ]);
    const verified = verifyClaims(readCitedText(text, evidence), () => document);
    expect(verified.claims).toHaveLength(2);
    expect(verified.struck).toHaveLength(3);
    expect(verified.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []))).toEqual(headings);
    expect(verified.blocks.slice(4, 6)).toEqual([
      { kind: "paragraph", sentences: [], struck: ["amount_contradicted", "unknown_source"] },
      expect.objectContaining({ kind: "heading", text: headings[3] }),
    ]);

    const { run } = buildRun(outline);
    const content = { ...run.report, ...verified, claims: verified.claims.map((claim) => ({ ...claim, origins: 1 })) };
    const markdown = renderMarkdown({ ...content, question: run.question, language, reason: null });
    const view = viewOf({ ...run, report: { ...content, markdown } }, "dossier 0.1.0", false);
    const pdf = { bytes: await toPdf(view, DATE), mediaType: "application/pdf", url: "a.pdf" };
    const files = [
      markdown,
      toMarkdown(view, "footnotes"),
      toHtml(view).replaceAll(/<(?:style|script)[\s\S]*?<\/(?:style|script)>|<[^>]*>/g, ""),
      textOf(partsOf(await toDocx(view, DATE))["word/document.xml"] ?? ""),
      (await createExtractor().extract(pdf)).text,
    ];
    for (const file of files) {
      const shown = plain(file);
      const places = [headings[2], line, headings[3]].map((words) => shown.indexOf(plain(words), shown.indexOf(plain(headings[1]))));
      expect(places.every((place) => place > 0)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
    // Later questions are not told of it.
    expect(answerText({ ...run.report, ...content, markdown })).not.toContain(line.slice(0, 10));
  },
);

it("the stream shows such a section too, and a report of which all is struck has no blocks", () => {
  const { document, text } = LANGUAGES.en;
  const evidence = new Map<string, Evidence>([
    ["P1", { id: "P1", sourceId: "S0", contentHash: "a", text: document, start: 0, end: document.length }],
  ]);
  const stream = createCitedStream(evidence);
  const parts = [...stream.push(text), ...stream.end()];
  expect(parts.flatMap(({ blocks }) => blocks).filter((block) => block.kind === "paragraph" && block.struck !== undefined)).toHaveLength(2);
  const nothing = readCitedText('## Profit\n\nIt was sold. [P9: "It was sold to nobody"]\n', evidence);
  expect(nothing).toMatchObject({ claims: [], blocks: [], struck: [{ reason: expect.stringContaining("unknown_source") }] });
});

it("what the policy strikes leaves its heading too, and what becomes empty otherwise does not", () => {
  const heading = (text: string) => ({ kind: "heading", level: 2, text, support: null, reason: null }) as const;
  const claim = { citations: [], expression: null, section: "", supported: false };
  const claims = [
    { ...claim, text: "It is so.", support: "unverified", reason: "name_not_in_source: Orion" },
    { ...claim, text: "It is.", support: "summary", reason: null },
  ] as const;
  const blocks = [
    heading("Empty"),
    heading("One"),
    { kind: "paragraph" as const, sentences: [0] },
    heading("Two"),
    { kind: "paragraph" as const, sentences: [1] },
  ];
  const struck = { kind: "paragraph", sentences: [], struck: ["name_not_in_source"] };
  const { blocks: left } = verifyClaims({ claims, citations: [], blocks }, () => undefined, "strike");
  expect(left).toEqual([heading("One"), struck, heading("Two"), { kind: "paragraph", sentences: [0] }]);
});
