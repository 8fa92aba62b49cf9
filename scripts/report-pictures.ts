// Writes pictures of an English and a Chinese report, and of a short answer in both, as HTML, PDF and DOCX: npm run report:pictures -- FOLDER
// The browser draws DOCX with docx-preview.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import chromium from "@sparticuz/chromium";
import { type Page, chromium as playwright } from "playwright-core";
import type { FileFormat, ReportedRun } from "../src/domain/ports/run-service.ts";
import { FONTS } from "../src/reports/fonts.ts";
import { createReportFiles } from "../src/reports/report-files.ts";
import { CHINESE, ENGLISH, shortAnswer } from "../test/reports/five-sections.ts";
import { buildRun } from "../test/reports/report-builder.ts";

const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];
const WIDTH = 900;
const PDF_SCALE = 1.6;

const folder = process.argv[2];
if (folder === undefined) throw new Error("Name the folder for the pictures.");
await mkdir(folder, { recursive: true });
const files = createReportFiles({ program: "dossier 0.1.0" });
try {
  const outlines = { english: ENGLISH, chinese: CHINESE, "english-short": shortAnswer(ENGLISH), "chinese-short": shortAnswer(CHINESE) };
  for (const [name, outline] of Object.entries(outlines)) {
    const { run } = buildRun(outline);
    await write(`${name}.md`, await render(run, "md"));
    await drawHtml(name, await render(run, "html"));
    await drawPdf(name, await render(run, "pdf"));
    await drawDocx(name, await render(run, "docx"));
  }
} finally {
  await files.close();
}

async function render(run: ReportedRun, format: FileFormat): Promise<Uint8Array> {
  return files.render(run, format, new AbortController().signal);
}

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(join(folder ?? "", name), bytes);
}

/** Works with a page of a new browser, as this build of Chromium ends with its first closed context. */
async function withPage(colorScheme: "light" | "dark", work: (page: Page) => Promise<void>): Promise<void> {
  const executablePath = await chromium.executablePath();
  const browser = await playwright.launch({ executablePath, args: [...chromium.args, ...QUIET], headless: true });
  try {
    const context = await browser.newContext({ viewport: { width: WIDTH, height: 1_100 }, bypassCSP: true, colorScheme });
    await work(await context.newPage());
  } finally {
    await browser.close();
  }
}

/** Adds the fonts of our files, as this browser may lack Chinese letters. */
async function addFonts(page: Page): Promise<void> {
  const faces = Object.values(FONTS).flatMap(({ family, files: faceFiles }) =>
    (["normal", "bold"] as const).map(async (face) => {
      const data = (await readFile(faceFiles[face])).toString("base64");
      return `@font-face { font-family: "${family}"; font-weight: ${face}; src: url(data:font/ttf;base64,${data}); }`;
    }),
  );
  await page.addStyleTag({
    content: `${(await Promise.all(faces)).join("\n")} body { font-family: "Noto Sans", "Noto Sans SC" !important; }`,
  });
  await page.evaluate("document.fonts.ready");
}

async function drawHtml(name: string, html: Uint8Array): Promise<void> {
  await write(`${name}.html`, html);
  const open = async (page: Page): Promise<void> => {
    await page.setContent(Buffer.from(html).toString("utf8"));
    await addFonts(page);
  };
  const picture = (part: string): string => join(folder ?? "", `${name}-html${part}.png`);
  await withPage("light", async (page) => {
    await open(page);
    await page.screenshot({ path: picture(""), fullPage: true });
    await page.hover("#r3");
    await page.screenshot({ path: picture("-note") });
    for (const summary of await page.locator("summary").all()) await summary.click();
    await page.screenshot({ path: picture("-unfolded"), fullPage: true });
  });
  await withPage("dark", async (page) => {
    await open(page);
    await page.screenshot({ path: picture("-dark") });
  });
}

async function drawPdf(name: string, pdf: Uint8Array): Promise<void> {
  await write(`${name}.pdf`, pdf);
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  for (const page of document.pages()) {
    const { width, height, data } = await page.render({ scale: PDF_SCALE, render: "bitmap" });
    await write(`${name}-pdf-${page.number + 1}.png`, pngOf(width, height, data));
  }
  document.destroy();
  library.destroy();
}

async function drawDocx(name: string, docx: Uint8Array): Promise<void> {
  await write(`${name}.docx`, docx);
  const { resolve } = createRequire(import.meta.url);
  const bytes = Buffer.from(docx).toString("base64");
  const draw = `(async () => {
    const bytes = Uint8Array.from(atob("${bytes}"), (character) => character.charCodeAt(0));
    await docx.renderAsync(bytes, document.body, null, { ignoreLastRenderedPageBreak: false });
    await document.fonts.ready;
  })()`;
  await withPage("light", async (page) => {
    await page.setContent("<body></body>");
    for (const script of ["jszip/dist/jszip.min.js", "docx-preview"]) await page.addScriptTag({ path: resolve(script) });
    await addFonts(page);
    await page.evaluate(draw);
    await page.screenshot({ path: join(folder ?? "", `${name}-docx.png`), fullPage: true });
  });
}

/** Returns a PNG (ISO/IEC 15948) of 8-bit RGBA pixels. */
function pngOf(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const lines = Array.from({ length: height }, (_, row) => [Buffer.of(0), pixels.subarray(row * width * 4, (row + 1) * width * 4)]).flat();
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(lines))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
