import { XMLValidator } from "fast-xml-parser";
import { afterAll, describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { FileFormat } from "../../src/domain/ports/run-service.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { UNVERIFIED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";
import { turns as takeTurns } from "../helpers/turns.ts";
import { partsOf, textOf } from "./extract-docx.ts";
import { sampleRun } from "./sample-run.ts";

const files = createReportFiles({ program: "dossier 0.1.0" });
afterAll(() => files.close());

const signal = new AbortController().signal;
const make = (format: FileFormat, run = sampleRun()) => files.render(run, format, signal);
const squeeze = (text: string) => text.replace(/[\s\u2060]+/g, "");

/** The content that every format must have: every claim, every quote with its position, every source, the usage. */
function expected() {
  const { report, question } = sampleRun();
  return [
    question,
    ...report.claims.flatMap(({ text, section }) => [text, section]),
    ...report.citations.flatMap(({ quote, start, end }) => [quote, `${start}–${end}`]),
    ...report.sources.map(({ title }) => title),
    ...[
      "共 41 句，由程序核对：40 句为引文原话；1 句未核实。",
      "c0ffee012345",
      "未核实",
      "已撤稿",
      "查过，没有结果",

      "41,234+5,678",
      "0.0421USD",
      "small-model",
      "dossier0.1.0",
      "2026-08-0110:02:03UTC",
    ],
  ].map(squeeze);
}

const missingIn = (text: string) => expected().filter((part) => !squeeze(text).includes(part));

describe("a report with 40 citations", () => {
  it("has every claim, quote and note in the text that is extracted from its PDF", async () => {
    const { text, title } = await createExtractor().extract({
      bytes: await make("pdf"),
      mediaType: "application/pdf",
      url: "https://example.org/a.pdf",
    });
    expect(missingIn(text)).toEqual([]);
    expect(title).toBe("营业收入增长了多少（revenue）？");
  });

  it("embeds its fonts in the PDF, limited to the used letters, with a map to Unicode", async () => {
    const bytes = await make("pdf");
    const source = Buffer.from(bytes).toString("latin1");
    const fonts = [...source.matchAll(/\/Type \/Font\n\/Subtype \/Type0\n\/BaseFont \/([A-Z]{6})\+([\w-]+)/g)].map(([, , name]) => name);
    expect(new Set(fonts)).toEqual(new Set(["NotoSans-Regular", "NotoSans-Bold", "NotoSansSC-Regular", "NotoSansSC-Bold"]));
    expect(source.match(/\/FontFile[23] \d+ 0 R/g)).toHaveLength(4);
    expect(source.match(/\/ToUnicode \d+ 0 R/g)).toHaveLength(4);
    expect(source).toMatch(/\/Outlines \d+ 0 R/);
    expect(bytes.length).toBeLessThan(400_000);
  });

  it("has them in the text of its DOCX, the quotes in real footnotes", async () => {
    const parts = partsOf(await make("docx"));
    const [body = "", notes = ""] = [parts["word/document.xml"], parts["word/footnotes.xml"]];
    expect(missingIn(`${textOf(body)}\n${textOf(notes)}`)).toEqual([]);
    expect([...body.matchAll(/<w:footnoteReference w:id="(\d+)"\/>/g)].map(([, id]) => Number(id))).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    expect(notes.match(/<w:footnote w:id="\d+"/g)?.length).toBeGreaterThanOrEqual(40);
    expect(parts["word/styles.xml"]).toContain('w:eastAsia="Microsoft YaHei"');
    expect(parts["docProps/core.xml"]).toContain("2026-08-01T10:02:03.000Z</dcterms:created>");
  });

  it("is a DOCX with well-formed parts, headings, tables and valid links", async () => {
    const parts = partsOf(await make("docx"));
    for (const [name, xml] of Object.entries(parts)) expect([name, XMLValidator.validate(xml)]).toEqual([name, true]);
    const { "word/document.xml": body = "", "word/footnotes.xml": notes = "" } = parts;
    expect(body.match(/<w:pStyle w:val="(?:Title|Heading\d)"\/>/g)).toHaveLength(9);
    expect(body.match(/<w:tbl>/g)).toHaveLength(3);
    for (const [xml, name] of [
      [body, "document"],
      [notes, "footnotes"],
    ] as const) {
      const rels = parts[`word/_rels/${name}.xml.rels`] ?? "";
      const links = [...xml.matchAll(/<w:hyperlink [^>]*r:id="([^"]+)"/g)].map(([, id]) => id);
      expect(links.length).toBeGreaterThan(5);
      for (const id of links) expect(rels).toContain(`Id="${id}"`);
    }
  });

  it.each(["html", "md", "bib"] as const)("has them in its %s", async (format) => {
    const text = new TextDecoder().decode(await make(format));
    if (format === "bib") return expect(text.match(/^@\w+\{[\w-]+,$/gm)).toHaveLength(12);
    const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
    const plain =
      format === "md"
        ? text.replace(/\\(?=\p{P}|[|~`])/gu, "")
        : text.replace(/<[^>]+>/g, "").replace(/&#?\w+;/g, (entity) => entities[entity] ?? entity);
    expect(missingIn(plain.replaceAll("`", ""))).toEqual([]);
  });

  it.each(["pdf", "docx", "html", "md", "bib"] as const)("is byte for byte the same file in every rendering: %s", async (format) => {
    const another = createReportFiles({ program: "dossier 0.1.0" });
    const [first, second] = [await make(format), await another.render(sampleRun(), format, signal)];
    await another.close();
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  });

  it("does not delay others while a PDF is rendered", async () => {
    const other = createReportFiles({ program: "dossier 9" });
    let isRendered = false;
    const rendered = other.render(sampleRun(), "pdf", signal).then(() => {
      isRendered = true;
    });
    let turns = 0;
    for (; !isRendered; turns += 1) await takeTurns(1);
    await rendered;
    await other.close();
    expect(turns).toBeGreaterThan(100);
  });

  it("is abandoned when it takes too long, and when nobody waits any more", async () => {
    const hasty = createReportFiles({ program: "dossier 0.1.0", timeoutMs: 1 });
    await expect(hasty.render(sampleRun(), "pdf", signal)).rejects.toMatchObject({ code: "timeout" });
    await hasty.close();
    const reader = new AbortController();
    const waiting = createReportFiles({ program: "dossier 0.1.0" });
    const file = waiting.render(sampleRun(), "docx", reader.signal);
    reader.abort();
    await expect(file).rejects.toMatchObject({ code: "cancelled" });
    await waiting.close();
  });

  it("leaves the queue at once when its reader leaves", async () => {
    const reader = new AbortController();
    let isFirstDone = false;
    const first = make("docx", sampleRun("first")).then(() => {
      isFirstDone = true;
    });
    const waiting = files.render(sampleRun("second"), "docx", reader.signal);
    reader.abort();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    expect(isFirstDone).toBe(false);
    await first;
  });
});

describe("an answer without citations", () => {
  const whole = sampleRun("Hello!");
  const claim = {
    citations: [],
    ...UNVERIFIED,
    section: "",
    origins: 0,
  };
  const report = {
    ...whole.report,
    ...{ markdown: "Hello! What do you want to know?\n\n你好！*请提问*。\n", citations: [], sources: [], ledger: [] },
    claims: ["Hello!", "What do you want to know?", "你好！", "请提问。"].map((text) => ({ ...claim, text })),
    coverage: coverage(0, 4),
  };
  const run = { ...whole, report };

  it("is in every file verbatim, without marks and without a line about quotes", async () => {
    const [md = "", html = "", docx = ""] = await Promise.all([
      make("md", run).then((bytes) => Buffer.from(bytes).toString()),
      make("html", run).then((bytes) => Buffer.from(bytes).toString()),
      make("docx", run).then(async (bytes) => textOf((await partsOf(bytes))["word/document.xml"] ?? "")),
    ]);
    const { text: pdf } = await createExtractor().extract({ bytes: await make("pdf", run), mediaType: "application/pdf", url: "a.pdf" });
    expect(md).toContain("# Hello!\n\nHello! What do you want to know?\n\n你好！\\*请提问\\*。\n\n");
    expect(html).toContain('<p dir="auto">Hello! What do you want to know?</p>\n<p dir="auto" lang="zh-Hans">你好！*请提问*。</p>');
    for (const text of [md, html, docx, pdf]) {
      expect(squeeze(text)).toContain("Hello!Whatdoyouwanttoknow?");
      expect(text).not.toMatch(/not verified|未核实/);
      expect(squeeze(text)).toContain("Thisanswercitesnosource:noneofits4sentenceswaschecked.");
    }
  });

  it("is marked as Chinese in HTML even if it contains long Latin names", async () => {
    const html = Buffer.from(await make("html", { ...sampleRun("Dossier 概览"), language: "zh" })).toString();
    expect(html).toContain('<h1 dir="auto"><span class="words">Dossier ');
  });
});

it.each(["\u00ad", "\u200d\u200d", "\u{e0041}"])("makes a PDF of a question without visible characters: %j", async (question) => {
  expect(
    Buffer.from(await make("pdf", { ...sampleRun(), question }))
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
});
