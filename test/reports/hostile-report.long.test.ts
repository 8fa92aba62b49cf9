import { XMLValidator } from "fast-xml-parser";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { afterAll, describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { FileFormat } from "../../src/domain/ports/run-service.ts";
import type { Citation } from "../../src/domain/report.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { partsOf, textOf } from "./extract-docx.ts";
import { HOSTILE, hostileRun, PARAPHRASED } from "./hostile-run.ts";
import { sampleRun } from "./sample-run.ts";

const LONG = Array.from({ length: 1_250 }, (_, index) => `q${lettersOf(index)}w`).join("");
/** Without 壿, which Noto Sans SC draws as it does 墫: in a PDF with both, both are read as the first. */
const IDEOGRAPHS = Array.from({ length: 3_000 }, (_, index) => String.fromCodePoint(0x4e00 + index))
  .join("")
  .replace("壿", "");
const files = createReportFiles({ program: "dossier 0.1.0" });
afterAll(() => files.close());
const make = (format: FileFormat, texts: readonly string[] = HOSTILE) =>
  files.render(hostileRun(texts), format, new AbortController().signal);
const read = async (format: FileFormat, texts?: readonly string[]) =>
  new TextDecoder("utf-8", { fatal: true }).decode(await make(format, texts));

function everyNode(node: Nodes): Nodes[] {
  return [node, ...("children" in node ? node.children.flatMap(everyNode) : [])];
}

describe("a report full of hostile text", () => {
  it("is HTML in which no text becomes markup and every link leads to the web", async () => {
    const html = await read("html");
    const tags = new Set([...html.matchAll(/<\/?([a-z!][^\s>]*)/gi)].map(([, tag]) => tag?.toLowerCase()));
    const own =
      "!doctype html head meta title style body main nav h1 h2 p ul li bdi strong sup abbr span wbr a ol blockquote footer details summary code div table thead tbody tr th td".split(
        " ",
      );
    expect([...tags].filter((tag) => !own.includes(tag ?? ""))).toEqual([]);
    expect(html.match(/<style>/g)).toHaveLength(1);
    const targets = [...html.matchAll(/ href="([^"]*)"/g)].map(([, target]) => target ?? "");
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.filter((target) => !/^(?:#[qrh]\d+|https:\/\/a\.example\/[^\s"<>]*)$/.test(target))).toEqual([]);
    expect(html).not.toMatch(/ on\w+=(?!&#39;)|\ssrc="/);
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a text may contain
    expect(html).toContain("$&amp; $1 $` \\1 {{systemContext}} %s ${process.env}");
  });

  it("is a well-formed DOCX with every letter that XML allows", async () => {
    const parts = partsOf(await make("docx"));
    for (const [name, xml] of Object.entries(parts)) expect([name, XMLValidator.validate(xml)]).toEqual([name, true]);
    const text = textOf(parts["word/footnotes.xml"] ?? "");
    for (const quote of HOSTILE.filter((_, index) => index !== 6 && index !== 7)) expect(text).toContain(quote);
    expect(text).toContain("nul\ufffd bell\ufffd escape\ufffd[31m delete\ufffd next\ufffd nonchar\ufffd");
    expect(text).toContain("lone \ufffd and \ufffd surrogates");
    const links = Object.entries(parts)
      .filter(([name]) => name.endsWith(".rels"))
      .flatMap(([, xml]) => [...xml.matchAll(/Target="([^"]*)" TargetMode="External"/g)].map(([, link]) => link));
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !link?.startsWith("https://a.example/"))).toEqual([]);
  });

  it("is a PDF in which characters without a glyph are boxes, and are listed", async () => {
    const bytes = await make("pdf");
    const { text } = await createExtractor().extract({ bytes, mediaType: "application/pdf", url: "https://example.org/a.pdf" });
    const squeezed = text.replace(/\s+/g, "");
    for (const quote of HOSTILE.slice(0, 5)) expect(squeezed).toContain(quote.replace(/\s+/g, ""));
    expect(squeezed).toContain("□□□□□□");
    expect(squeezed).toMatch(/U\+0E44.*U\+D55C/);
    const links = [
      ...Buffer.from(bytes)
        .toString("latin1")
        .matchAll(/\/URI \(([^)]*)/g),
    ].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !link?.startsWith("https://a.example/"))).toEqual([]);
  });

  it("is BibTeX in which every brace is closed and every entry has its own key", async () => {
    const bib = await read("bib");
    const entries = bib.split("\n").filter((line) => line.startsWith("@"));
    expect(new Set(entries).size).toBe(10);
    for (const entry of entries) expect(entry).toMatch(/^@(?:article|misc)\{[A-Za-z0-9_-]+,$/);
    let depth = 0;
    for (const [brace] of bib.replace(/^%.*$/gm, "").matchAll(/[{}]/g)) {
      depth += brace === "{" ? 1 : -1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    expect(bib.replace(/^%.*$/gm, "")).not.toMatch(/\\(?:input|end|1)/);
    expect(
      bib
        .replace(/^@\w+\{[\w-]+,$/gm, "")
        .split("\n")
        .filter((line) => line.startsWith("%") && line.includes("@")),
    ).toEqual([]);
  });

  it("is Markdown without a link or an image from a source text", async () => {
    const markdown = await read("md");
    expect(markdown).toContain("\\[x\\](javascript:alert(1)) !\\[i\\](https://evil.example/i.png)");
    expect(markdown).toContain("&lt;script>");
    const nodes = everyNode(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
    expect(nodes.filter(({ type }) => ["html", "image", "imageReference", "linkReference", "definition"].includes(type))).toEqual([]);
    const labels = (kind: string) => nodes.flatMap((node) => (node.type === kind && "identifier" in node ? [node.identifier] : []));
    expect(labels("footnoteReference").toSorted()).toEqual(labels("footnoteDefinition").toSorted());
    expect(labels("footnoteDefinition")).toEqual(HOSTILE.map((_, index) => String(index + 1)));
    // A Markdown viewer may link bare addresses; no text hides its link target.
    for (const node of nodes) if (node.type === "link") expect(node.url).toMatch(/^https:\/\/(?:evil|a)\.example\//);
  });

  it.each(["html", "md", "docx", "pdf"] as const)("fits ten thousand letters without a space: %s", async (format) => {
    const run = sampleRun();
    const quotes = [LONG, IDEOGRAPHS].map((quote, index) => ({ ...run.report.citations[index], quote })) as Citation[];
    const claims = [{ text: LONG, citations: [1, 2], ...PARAPHRASED, section: "", origins: 1 }];
    const file = await files.render({ ...run, report: { ...run.report, claims, citations: quotes } }, format, new AbortController().signal);
    const text = squeeze(await textIn(file, format));
    expect(text.match(/q[a-d]{6}w/g)?.length).toBeGreaterThanOrEqual(2 * 1_250);
    expect(text).toContain(IDEOGRAPHS.slice(0, 1_500));
    expect(text).toContain(IDEOGRAPHS.slice(-1_500));
  });
});

async function textIn(bytes: Uint8Array, format: FileFormat): Promise<string> {
  if (format === "docx") return ["document", "footnotes"].map((part) => textOf(partsOf(bytes)[`word/${part}.xml`] ?? "")).join("");
  if (format !== "pdf") return new TextDecoder().decode(bytes);
  return (await createExtractor().extract({ bytes, mediaType: "application/pdf", url: "https://example.org/a.pdf" })).text;
}

/** Six letters, none of which is a digit: PDF lines that differ only in numbers are read as running headers. */
function lettersOf(index: number): string {
  return index
    .toString(4)
    .padStart(6, "0")
    .replace(/\d/g, (digit) => "abcd"[Number(digit)] ?? "");
}

/** Removes spaces and the page numbers in the footers. */
function squeeze(text: string): string {
  return text.replace(/\s+|第\s*\d+\s*页，共\s*\d+\s*页/g, "");
}
