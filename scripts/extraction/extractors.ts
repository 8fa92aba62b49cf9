import { Readability } from "@mozilla/readability";
import { assemble } from "../../src/documents/block-text.ts";
import { decodeText } from "../../src/documents/decode-text.ts";
import { createExtractor } from "../../src/documents/extract.ts";
import { bodyOf, type DomNode } from "../../src/documents/html/dom.ts";
import { htmlBlocks } from "../../src/documents/html/html-blocks.ts";
import { parsePage } from "../../src/documents/html/parse-page.ts";
import { DossierError } from "../../src/errors.ts";
import type { BenchmarkPage } from "./benchmark-pages.ts";

type Extract = (page: BenchmarkPage) => Promise<string>;

/** The extractors to compare. All use the same HTML parser. `ours` is the extraction of the service. */
export const EXTRACTORS: Readonly<Record<string, Extract>> = { ours, readability, "all-text": allText };

const extractor = createExtractor();

async function ours({ html, url }: BenchmarkPage): Promise<string> {
  try {
    return (await extractor.extract({ bytes: html, mediaType: "text/html", url })).text;
  } catch (error) {
    // A page without text counts as an empty result.
    if (error instanceof DossierError) return "";
    throw error;
  }
}

async function readability({ html }: BenchmarkPage): Promise<string> {
  const document = parsePage(decodeText(html));
  const article = new Readability<DomNode>(document, { serializer: (node) => node as unknown as DomNode }).parse();
  return article?.content ? textOf(article.content) : "";
}

async function allText({ html }: BenchmarkPage): Promise<string> {
  return textOf(bodyOf(parsePage(decodeText(html))));
}

function textOf(node: DomNode): string {
  return assemble(htmlBlocks(node)).text;
}
