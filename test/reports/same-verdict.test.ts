import { afterAll, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { FileFormat } from "../../src/domain/ports/run-service.ts";
import { renderMarkdown } from "../../src/reports/markdown.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { verdictOf } from "../../src/words/verdict.ts";
import { partsOf, textOf } from "./extract-docx.ts";
import { sampleRun } from "./sample-run.ts";

const files = createReportFiles({ program: "dossier 0.4.0" });
afterAll(() => files.close());

const unspaced = (text: string): string =>
  text
    .replace(/<[^>]+>/g, "")
    .replace(/\\(?=\p{P})/gu, "")
    .replace(/\s+/g, "");

async function textIn(run: ReturnType<typeof sampleRun>, format: FileFormat): Promise<string> {
  const bytes = await files.render(run, format, new AbortController().signal);
  if (format === "docx") return textOf(partsOf(bytes)["word/document.xml"] ?? "");
  if (format !== "pdf") return new TextDecoder().decode(bytes);
  return (await createExtractor().extract({ bytes, mediaType: "application/pdf", url: "https://example.org/a.pdf" })).text;
}

it.each(["en", "zh"] as const)("every file, the terminal and the page say the same verdict: %s", async (language) => {
  const run = sampleRun();
  const report = { ...run.report, answers: "fully" as const };
  const said = { ...run, language, report };
  // The page and the API call this function; the terminal prints the Markdown.
  const { strength, text } = verdictOf(report, language);
  expect(strength).toBe("limited");
  const terminal = renderMarkdown({ ...report, question: run.question, language, reason: null });
  const shown = [terminal, ...(await Promise.all((["md", "html", "pdf", "docx"] as const).map((format) => textIn(said, format))))];
  for (const one of shown) expect(unspaced(one)).toContain(unspaced(text));
});
