import { XMLValidator } from "fast-xml-parser";
import { afterAll, describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { FileFormat, ReportedRun } from "../../src/domain/ports/run-service.ts";
import type { Passage } from "../../src/domain/report.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { coverage } from "../helpers/coverage.ts";
import { partsOf, textOf } from "./extract-docx.ts";
import { sampleRun } from "./sample-run.ts";

const files = createReportFiles({ program: "dossier 0.1.0" });
afterAll(() => files.close());

const passage = (sourceId: string, start: number, quote: string): Passage => {
  return { sourceId, contentHash: "c0ffee0123456789".repeat(4), start, end: start + quote.length, quote };
};
const CLOSEST = [
  passage("S1", 3, "The keeper climbs <b>two hundred</b> & twelve *steps* every evening."),
  passage("S4", 70, "守塔人每天傍晚要爬二百一十二级台阶。"),
  passage("S3", 140, "1. A retracted work says so, [x](javascript:alert(1))."),
];

function unanswered(question: string, closest: readonly Passage[] = CLOSEST): ReportedRun {
  const run = sampleRun(question);
  const termination = { reason: "no_answer", node: "summarize", detail: "They name no place." } as const;
  return { ...run, termination, report: { ...run.report, claims: [], citations: [], closest: [...closest], coverage: coverage() } };
}

async function textIn(run: ReportedRun, format: FileFormat): Promise<string> {
  const bytes = await files.render(run, format, new AbortController().signal);
  if (format === "docx") return textOf(partsOf(bytes)["word/document.xml"] ?? "");
  if (format !== "pdf") return new TextDecoder().decode(bytes);
  return (await createExtractor().extract({ bytes, mediaType: "application/pdf", url: "https://example.org/a.pdf" })).text;
}

/** Returns the visible text: without tags, entities, escapes and white space. */
function seen(text: string, format: FileFormat): string {
  const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#39;": "'" };
  const tagless = format === "html" ? text.replace(/<[^>]+>/g, "") : text;
  const plain = format === "html" || format === "md" ? tagless.replace(/&#?\w+;/g, (entity) => entities[entity] ?? entity) : tagless;
  return (format === "md" ? plain.replace(/\\(?=\p{P}|[|~`])/gu, "").replaceAll("`", "") : plain).replace(/\s+/g, "");
}

const ENGLISH = ["Where does the keeper live?", "Closest passages (may not answer this)", "RETRACTED"] as const;
const CHINESE = ["守塔人住在哪里？", "最接近的段落（可能没有回答这个问题）", "已撤稿"] as const;

describe.each(["md", "html", "pdf", "docx"] as const)("a report without an answer as %s", (format) => {
  it.each([ENGLISH, CHINESE])(
    "shows its closest passages, each with source and position, below the reason: %s",
    async (question, ...words) => {
      const [heading, retracted] = words;
      const text = seen(await textIn(unanswered(question), format), format);
      const parts = [
        "They name no place.",
        heading,
        ...["“The keeper climbs <b>two hundred</b> & twelve *steps* every evening.”", "Annual Report 1 — Überblick"],
        ...["“守塔人每天傍晚要爬二百一十二级台阶。”", "年度报告 4 [draft]", "zh/报告-4.md"],
        ...["“1. A retracted work says so, [x](javascript:alert(1)).”", retracted, "On Growth_3: 100% of {Costs}"],
        "c0ffee012345: 3–71, 70–88, 140–".slice(0, 12),
        "3–71, 70–88, 140–",
      ].map((part) => part.replace(/\s+/g, ""));
      const places = parts.map((part) => text.indexOf(part));
      expect(parts.filter((_, index) => (places[index] ?? -1) < 0)).toEqual([]);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(text).not.toMatch(/\[1\]|\[\^1\]/);
    },
  );

  it("has no such section if there are none, or if there is an answer", async () => {
    const [question, heading] = ENGLISH;
    const answered = sampleRun(question);
    for (const run of [unanswered(question, []), { ...answered, report: { ...answered.report, closest: CLOSEST } }]) {
      expect(seen(await textIn(run, format), format)).not.toContain(heading.replace(/\s+/g, ""));
    }
  });
});

describe("the closest passages", () => {
  it("are block quotes in Markdown, each on a line of its own", async () => {
    const lines = (await textIn(unanswered(ENGLISH[0]), "md")).split("\n").filter((line) => line.startsWith(">"));
    expect(lines).toEqual([
      "> “The keeper climbs &lt;b>two hundred&lt;/b> & twelve \\*steps\\* every evening.” — Annual Report 1 — Überblick, 2024-05-06, <https://example.org/reports/1?a=1&b=2#top>",
      "> “守塔人每天傍晚要爬二百一十二级台阶。” — 年度报告 4 \\[draft\\], 2024-05-06, `zh/报告-4.md`",
      expect.stringContaining("> “1. A retracted work says so, \\[x\\](javascript:alert(1)).” — **RETRACTED** On Growth_3"),
    ]);
  });

  it("link to their positions in HTML, and cannot add markup to the page", async () => {
    const html = await textIn(unanswered(ENGLISH[0]), "html");
    expect(html).toContain('<h2>Closest passages (may not answer this)</h2>\n<ul class="closest">');
    expect(html).toContain("&lt;b&gt;two hundred&lt;/b&gt; &amp; twelve");
    expect(html).toContain('<blockquote dir="auto" lang="zh-Hans">“<bdi>守塔人');
    expect(html).toContain("https://example.org/reports/1?a=1&amp;b=2#top:~:text=The%20keeper");
    expect(html).not.toContain("<b>two");
  });

  it("are well-formed in DOCX, without footnotes", async () => {
    const parts = partsOf(await files.render(unanswered(CHINESE[0]), "docx", new AbortController().signal));
    for (const [name, xml] of Object.entries(parts)) expect([name, XMLValidator.validate(xml)]).toEqual([name, true]);
    expect(parts["word/document.xml"]).not.toContain("footnoteReference");
  });

  it("have no entries in BibTeX", async () => {
    expect(await textIn(unanswered(ENGLISH[0]), "bib")).not.toMatch(/^@/m);
  });
});
