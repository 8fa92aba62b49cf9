import { DossierError } from "../../errors.ts";
import type { Page } from "./pages.ts";

/** A page with a picture over so much of it and no more characters than this is a scan; what it has besides is a stamp or a number. */
const SCAN_SHARE = 0.5;
const MAX_STAMP_CHARACTERS = 40;
/** Below this share of known characters what remains is no text anybody wrote. */
const MIN_MAPPED_SHARE = 0.5;

/** @throws DossierError `empty` or `unreadable`, with the reason, when the pages hold no text worth the name */
export function assertText(pages: readonly Page[], source: { readonly encrypted: boolean; readonly bytes: Uint8Array }): void {
  const mapped = pages.reduce((sum, page) => sum + page.mapped, 0);
  const total = mapped + pages.reduce((sum, page) => sum + page.unmapped, 0);
  if (total > 0 && mapped < MIN_MAPPED_SHARE * total) {
    throw new DossierError("unreadable", `The fonts of the PDF do not say which characters they draw: ${mapped} of ${total} can be told.`);
  }
  const scans = pages.filter((page) => page.pictured >= SCAN_SHARE && page.mapped <= MAX_STAMP_CHARACTERS).length;
  const texts = pages.filter((page) => page.mapped > 0).length;
  if (scans > 0 && pages.every((page) => (page.pictured >= SCAN_SHARE ? page.mapped <= MAX_STAMP_CHARACTERS : page.mapped === 0))) {
    const besides = mapped === 0 ? "" : ` (besides ${mapped} characters)`;
    throw new DossierError("empty", `The PDF is a scan: its pages are pictures without a text layer${besides}. Recognise its text first.`);
  }
  if (texts > 0) return;
  // Broken encryption is taken for none: the streams are then noise, in which no text is found.
  if (!source.encrypted && Buffer.from(source.bytes).includes("/Encrypt")) {
    throw new DossierError("unreadable", "The PDF is encrypted, and what says how is damaged.");
  }
  throw new DossierError("empty", "The PDF holds no text: its pages are blank or drawn.");
}
