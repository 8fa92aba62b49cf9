import type { BlockDraft } from "./block-text.ts";

/** What a format's extractor finds, before language, fallback title and offsets are settled for all formats alike. */
export interface Draft {
  readonly drafts: readonly BlockDraft[];
  readonly title: string | null;
  /** As declared, unchecked. */
  readonly language: string | null;
  readonly publishedAt: string | null;
  readonly author: string | null;
}
