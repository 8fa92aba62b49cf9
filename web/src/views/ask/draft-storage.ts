import { forget, keep, readKept } from "../../ui/kept.ts";
import { type Attachments, NO_ATTACHMENTS } from "./attachments.ts";
import { type KeptDraft, parseDraft } from "./kept-draft.ts";

/** A form that was filled from a run does not replace the draft of the empty one. */
const placeOf = (from: string): string => (from === "" ? "dossier.ask-draft" : "dossier.ask-again-draft");

/** No storage takes files: they last until the page is loaded again. */
const heldFiles = new Map<string, readonly File[]>();

export function keepDraft(draft: Omit<KeptDraft, "urls" | "fileNames">, { files, urls }: Attachments): void {
  heldFiles.set(placeOf(draft.from), files);
  keep(placeOf(draft.from), JSON.stringify({ ...draft, urls, fileNames: files.map(({ name }) => name) }), "sessionStorage");
}

/** Called when the question was asked, or nothing is left of it. */
export function dropDraft(from: string): void {
  heldFiles.delete(placeOf(from));
  forget(placeOf(from), "sessionStorage");
}

/** Returns the draft of a form that was filled from this run, with its files; null if there is none. */
export function readDraft(from: string): { readonly draft: KeptDraft; readonly attachments: Attachments } | null {
  const draft = parseDraft(readKept(placeOf(from), "sessionStorage"));
  if (draft === null || draft.from !== from) return null;
  const names = new Set(draft.fileNames);
  return {
    draft,
    attachments: { ...NO_ATTACHMENTS, urls: draft.urls, files: (heldFiles.get(placeOf(from)) ?? []).filter(({ name }) => names.has(name)) },
  };
}
