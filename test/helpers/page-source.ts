import { createHash } from "node:crypto";
import { type Hit, sourceIdOf } from "../../src/domain/hit.ts";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import { finding } from "./search-answer.ts";

/** A source that finds these addresses for every question, each with a description of its own. */
export function pageSource(id: string, urls: readonly string[], more: Partial<Hit> = {}): SearchSource {
  return { id, kind: "web", title: id, search: finding(() => urls.map((url) => ({ ...foundPage(id, url), ...more }))) };
}

export function foundPage(foundBy: string, url: string): Hit {
  const about = { title: words(`title of ${url}`), snippet: words(url) };
  return { id: sourceIdOf(url), kind: "web", url, publishedAt: null, foundBy, contentHash: null, ...about };
}

/** Returns words that no other hit has, so that no hit is treated as a copy of another. */
function words(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return (digits.match(/.{8}/g) ?? []).map((word) => `w${word}`).join(" ");
}
