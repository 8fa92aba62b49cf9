import { PDFiumLibrary } from "@hyzyla/pdfium";
import chromium from "@sparticuz/chromium";
import { XMLParser } from "fast-xml-parser";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { chromium as playwright } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { type Block, CELL_SEPARATOR } from "../../src/domain/blocks.ts";
import type { FileFormat, ReportedRun } from "../../src/domain/ports/run-service.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { bundleOf } from "./bundle/random-bundle.ts";
import { partsOf } from "./extract-docx.ts";
import { CHINESE, ENGLISH, shortAnswer } from "./five-sections.ts";
import { buildRun } from "./report-builder.ts";

const PROGRAM = "dossier 0.1.0";
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];
const files = createReportFiles({ program: PROGRAM });
afterAll(() => files.close());

const render = (run: ReportedRun, format: FileFormat, appendix = true): Promise<Uint8Array> =>
  files.render(run, format, new AbortController().signal, { appendix });
const textOf = async (run: ReportedRun, format: FileFormat): Promise<string> => new TextDecoder().decode(await render(run, format));

/** Numbers of citations and signs of support, which each format sets in its own way. */
const MARKS = /\[\^?\d+\]|[†‡Σ=]|[\s\u2060]|（未核实[^）]*）|\(not verified[^)]*\)/g;
const plain = (text: string): string => text.replace(MARKS, "").replace(/^—$/, "–");

/** What each block has to show: its kind and its texts, without white space and marks. */
type Shown = readonly [kind: string, ...texts: string[]];

/** What an empty cell shows, in both languages as one dash. */
const NO_VALUE = "–";
/** The line on how far the report answers, the line with its date, and the counts of sentences. */
const ABOUT = /^(?:Judgedbyamodel:|模型判断：|\d+sentences,|共\d+句，|\d{4}-\d\d-\d\d[·，])/u;
const isAbout = ([kind, text = ""]: Shown): boolean => kind === "p" && ABOUT.test(text);

function expected({ report: { blocks, claims } }: ReportedRun): Shown[] {
  const highest = Math.min(...blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : [])));
  const said = (sentences: readonly number[]): string => plain(sentences.map((index) => claims[index]?.text).join(""));
  return blocks.map((block: Block): Shown => {
    if (block.kind === "heading") return [`h${block.level - highest + 2}`, plain(block.text)];
    if (block.kind === "paragraph") return ["p", said(block.sentences)];
    if (block.kind === "code") return ["code", block.text];
    const kind = block.kind === "list" ? "ul" : "ol";
    if (block.kind !== "table") return [kind, ...block.items.map(({ level, sentences }) => `${level} ${said(sentences)}`)];
    const rows = block.rows.flatMap((index) => claims[index]?.text.split(CELL_SEPARATOR) ?? []);
    return ["table", ...[...block.head.map(plain), ...rows.map((cell) => plain(cell) || NO_VALUE)]];
  });
}

function inMarkdown(markdown: string, count: number): Shown[] {
  const { children } = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const textIn = (node: Nodes): string => {
    if (node.type === "footnoteReference" || node.type === "list") return "";
    return "children" in node ? node.children.map(textIn).join("") : "value" in node ? node.value : "";
  };
  const itemsIn = (node: Nodes, level: number): string[] =>
    node.type === "list"
      ? node.children.flatMap((item) => [`${level} ${plain(textIn(item))}`, ...item.children.flatMap((child) => itemsIn(child, level + 1))])
      : [];
  const [, ...shown] = children.map((node): Shown => {
    if (node.type === "heading") return [`h${node.depth}`, plain(textIn(node))];
    if (node.type === "list") return [node.ordered === true ? "ol" : "ul", ...itemsIn(node, 0)];
    if (node.type === "table") return ["table", ...node.children.flatMap((row) => row.children.map((cell) => plain(textIn(cell))))];
    return ["p", plain(textIn(node))];
  });
  return shown.filter((one) => !isAbout(one)).slice(0, count);
}

/** Runs in the page. */
const READ_BLOCKS = `(() => {
  for (const extra of document.querySelectorAll(".marks, .alarm, .standing, .dated, .contents")) extra.remove();
  const own = (node) => [...node.childNodes].map((child) => (/^[UO]L$/.test(child.nodeName) ? "" : child.textContent)).join("");
  const items = (list, level) => [...list.children].flatMap((item) => [
    level + " " + own(item), ...[...item.children].filter(({ nodeName }) => nodeName === "UL").flatMap((inner) => items(inner, level + 1)),
  ]);
  return [...document.querySelector("main").children].slice(1).map((node) => {
    const kind = node.className === "figure" ? "table" : node.nodeName.toLowerCase();
    if (kind === "ul" || kind === "ol") return [kind, ...items(node, 0)];
    if (kind === "table") return [kind, ...[...node.querySelectorAll("th, td")].map((cell) => cell.textContent)];
    return [kind, node.textContent];
  });
})()`;

async function inHtml(html: string, count: number): Promise<Shown[]> {
  const executablePath = await chromium.executablePath();
  const browser = await playwright.launch({ executablePath, args: [...chromium.args, ...QUIET], headless: true });
  try {
    const page = await browser.newPage();
    await page.setContent(html);
    const found: string[][] = await page.evaluate(READ_BLOCKS);
    return found
      .slice(0, count)
      .map(
        ([kind = "", ...texts]): Shown => [
          kind,
          ...texts.map((text) => text.replace(/^(\d ?)?(.*)$/su, (_, level = "", rest) => `${level}${plain(rest)}`)),
        ],
      );
  } finally {
    await browser.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: parsed XML in the order of its elements
type Xml = any;

function inDocx(bytes: Uint8Array, count: number): Shown[] {
  const { "word/document.xml": xml = "", "word/numbering.xml": numbering = "" } = partsOf(bytes);
  const tree: Xml[] = new XMLParser({ preserveOrder: true, ignoreAttributes: false, trimValues: false, processEntities: true }).parse(xml);
  const all = (nodes: Xml[], name: string): Xml[] =>
    nodes.flatMap((node) =>
      Object.entries(node).flatMap(([key, inner]) => (key === name ? [node] : Array.isArray(inner) ? all(inner, name) : [])),
    );
  const attributeOf = (node: Xml, name: string): string | undefined => all([node], name)[0]?.[":@"]?.["@_w:val"];
  const letters = (node: Xml): string => {
    const runs = all([node], "w:r").filter(
      (run) => attributeOf(run, "w:vertAlign") === undefined && attributeOf(run, "w:color") !== "A3180F",
    );
    return plain(
      runs
        .flatMap((run) => all([run], "w:t"))
        .flatMap((text) => text["w:t"].map((part: Xml) => part["#text"] ?? ""))
        .join(""),
    );
  };
  const isDecimal = (id: string | undefined): boolean => {
    const abstract = new RegExp(`<w:num w:numId="${id}"[^>]*><w:abstractNumId w:val="(\\d+)"/>`).exec(numbering)?.[1];
    return new RegExp(`w:abstractNumId="${abstract}"[^>]*>.*?<w:numFmt w:val="(\\w+)"/>`, "s").exec(numbering)?.[1] === "decimal";
  };
  const body: Xml[] = all(tree, "w:body")[0]?.["w:body"] ?? [];
  const shown: [string, ...string[]][] = [];
  let list: string | null = null;
  for (const node of body) {
    if ("w:tbl" in node) {
      shown.push(["table", ...all([node], "w:tc").map(letters)]);
      list = null;
      continue;
    }
    const style = attributeOf(node, "w:pStyle");
    const level = attributeOf(node, "w:ilvl");
    if (level !== undefined) {
      const id = attributeOf(node, "w:numId");
      const last = shown.at(-1);
      if (list !== null && last !== undefined) last.push(`${level} ${letters(node)}`);
      else shown.push([isDecimal(id) ? "ol" : "ul", `${level} ${letters(node)}`]);
      list = "open";
      continue;
    }
    list = null;
    const heading = /^Heading(\d)$/.exec(style ?? "")?.[1];
    if (heading !== undefined) shown.push([`h${Number(heading) + 1}`, letters(node)]);
    else if (style !== "Title" && letters(node) !== "") shown.push(["p", letters(node)]);
  }
  return shown.filter((one) => !isAbout(one)).slice(0, count);
}

async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  const pages = [...document.pages()].map((page) => page.getText());
  document.destroy();
  library.destroy();
  return pages;
}

describe.each([
  ["English", ENGLISH],
  ["Chinese", CHINESE],
])("a report of five sections in %s", (_, outline) => {
  const { run, documents } = buildRun(outline);
  const blocks = expected(run);
  const count = blocks.length;

  it("has a lead, headings with figures, paragraphs, a table, a numbered list and nested points", () => {
    expect(blocks.filter(([kind]) => kind === "h2")).toHaveLength(5);
    expect(blocks.filter(([kind, text]) => kind === "h2" && /\d/.test(text ?? "")).length).toBeGreaterThan(2);
    expect(new Set(blocks.map(([kind]) => kind))).toEqual(new Set(["p", "h2", "h3", "table", "ul", "ol"]));
    expect(
      blocks
        .find(([kind]) => kind === "ul")
        ?.slice(1)
        .map((text) => text[0]),
    ).toContain("1");
    expect(run.report.claims.filter(({ support }) => support === "computed").length).toBeGreaterThan(2);
  });

  it("is the same in Markdown, in the run and in the file", async () => {
    expect(inMarkdown(run.report.markdown, count)).toEqual(blocks);
    expect(inMarkdown(await textOf(run, "md"), count)).toEqual(blocks);
  });

  it("is the same in HTML, as a browser reads it", async () => {
    expect(await inHtml(await textOf(run, "html"), count)).toEqual(blocks);
  });

  it("is the same in DOCX", async () => {
    expect(inDocx(await render(run, "docx"), count)).toEqual(blocks);
  });

  it("has all texts in order in PDF, with the marks of an unverified sentence", async () => {
    const text = (await pagesOf(await render(run, "pdf")))
      .map((page) => plain(page.replace(/(?:Page \d+ of \d+|第\s*\d+\s*页，共\s*\d+\s*页)\s*$/u, "")))
      .join("");
    let at = text.indexOf(blocks[0]?.[1] ?? "?");
    for (const [kind, ...texts] of blocks) {
      const words = texts.map((one) => (kind === "ul" || kind === "ol" ? one.slice(2) : one)).filter((one) => one !== NO_VALUE);
      for (const part of words) {
        const found = text.indexOf(part, at);
        expect([part, found >= at]).toEqual([part, true]);
        at = found + part.length;
      }
    }
  });

  it("says in one line whether it answers, what support its sentences have, and lists those left out", async () => {
    const markdown = await textOf(run, "md");
    const lines = markdown.split("\n");
    expect(lines[4]).toContain(outline.missing[0]);
    expect(lines.filter((line) => /^(?:\d+ sentences, checked by code: |共 \d+ 句，由程序核对：)/.test(line))).toHaveLength(1);
    for (const { text } of outline.struck) expect(markdown).toContain(text);
    const html = (await textOf(run, "html")).replaceAll(/<span class="amount">([^<]*)<\/span>/g, "$1");
    expect(html.match(/<details>/g)).toHaveLength(4);
    expect(html.indexOf(outline.struck[0]?.text ?? "?")).toBeGreaterThan(html.indexOf("<details>"));
  });

  it("is verified, and every changed byte is named or breaks the file", async () => {
    const text = await bundleOf(run.report, documents, { question: run.question }, PROGRAM);
    const { faults } = verifyBundle(Buffer.from(text), PROGRAM);
    expect(faults).toEqual([]);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 113) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at] === 0x78 ? 0x79 : 0x78;
      let named: readonly string[];
      try {
        named = verifyBundle(changed, PROGRAM).faults;
      } catch (error) {
        named = [String(error)];
      }
      const others = named.filter((fault) => !fault.startsWith("digest:"));
      expect([at, named.length > 0, others.length > 0 || isInDigest(text, at)]).toEqual([at, true, true]);
    }
  });

  it("has no appendix if none is asked for, and the same answer", async () => {
    const [whole, short] = await Promise.all([
      textOf(run, "md"),
      render(run, "md", false).then((bytes) => new TextDecoder().decode(bytes)),
    ]);
    expect(whole.startsWith(short.trimEnd())).toBe(true);
    for (const text of [short, new TextDecoder().decode(await render(run, "html", false))]) {
      expect(text).not.toMatch(/<details|run-2026-11-20|[0-9a-f]{12}/);
      expect(text).not.toContain(outline.struck[0]?.text ?? "?");
    }
    const pages = (await pagesOf(await render(run, "pdf", false))).join("");
    expect(pages).not.toMatch(/run-2026-11-20|[0-9a-f]{12}/);
  });
});

/** The digest is the last field. Its name and value are named by the fault of the digest. */
function isInDigest(text: string, at: number): boolean {
  return Buffer.from(text).subarray(at).toString().length <= '"digest":""}'.length + 66;
}

it("an eight-sentence answer is at most two pages of PDF, with its notes, sources and appendix", async () => {
  const eight = buildRun(shortAnswer(ENGLISH));
  expect(eight.run.report.claims).toHaveLength(8);
  const ledger = [1, 2, 3].flatMap((round) => ENGLISH.ledger.map((entry) => ({ ...entry, source: `${entry.source} ${round}` })));
  const run = { ...eight.run, report: { ...eight.run.report, ledger } };
  expect((await pagesOf(await render(run, "pdf"))).length).toBeLessThanOrEqual(2);
});

it("no page of a PDF ends with a heading, however long the answer is", async () => {
  const eight = shortAnswer(ENGLISH);
  const more = Array.from({ length: 9 }, (_, count) => Array.from({ length: count }, () => [["It is so.", []]] as const));
  for (const extra of more) {
    const pages = await pagesOf(await render(buildRun({ ...eight, parts: [...eight.parts, ...extra] }).run, "pdf"));
    for (const page of pages)
      expect(page.replace(/\s*Page \d+ of \d+\s*$/, "")).not.toMatch(/(?:Notes|Sources|Appendix|Search log|Receipt)\s*$/);
  }
});

it("a small table of a DOCX stands on one page, and a date in its notes on one line", async () => {
  const parts = partsOf(await render(buildRun(ENGLISH).run, "docx"));
  const [, table = ""] = /<w:tbl>(.*?)<\/w:tbl>/s.exec(parts["word/document.xml"] ?? "") ?? [];
  const rows = table.split("</w:tr>").slice(0, -1);
  expect(rows.map((row) => row.includes("<w:keepNext/>"))).toEqual(rows.map((_, index) => index < rows.length - 1));
  expect(parts["word/footnotes.xml"]).toContain("2026\u201102\u201119");
});

it("in HTML, a comma between publisher and date begins no line", async () => {
  expect(await textOf(buildRun(ENGLISH).run, "html")).toContain(
    '<bdi class="whole">gridpost.example,</bdi> <bdi class="whole">2026-02-20</bdi>',
  );
});

it("a note repeats no quote that is a sentence of the report", async () => {
  const { run } = buildRun(ENGLISH);
  const sentence = "For the first time the storage arm earned more than the turbine division.";
  for (const format of ["md", "docx"] as const) {
    const bytes = await render(run, format);
    const text = format === "md" ? new TextDecoder().decode(bytes) : Object.values(partsOf(bytes)).join("");
    expect(text.split(sentence)).toHaveLength(2);
  }
});
