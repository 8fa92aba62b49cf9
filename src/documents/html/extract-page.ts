import type { Draft } from "../draft.ts";
import { bodyOf, parsePage } from "./dom.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { pageMetadata } from "./html-metadata.ts";

/** All text of a page, nothing of it taken for clutter: for pages that are documents themselves, such as filings. */
export function extractPage(html: string): Draft {
  const document = parsePage(html);
  return { ...pageMetadata(document), drafts: htmlBlocks(bodyOf(document)) };
}
