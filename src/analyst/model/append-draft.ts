import { renumberSentences } from "../../domain/blocks.ts";
import { mergeCitations } from "../../domain/citations.ts";
import type { Draft } from "../../domain/ports/analyst.ts";
import type { DraftClaim, LedgerEntry } from "../../domain/report.ts";

/** Adds the text of `next` below that of `draft`. */
export function appendDraft(draft: Draft, next: Draft): Draft {
  const offset = Math.max(0, ...draft.citations.map(({ id }) => id));
  const citing = (claim: DraftClaim): DraftClaim => ({ ...claim, citations: claim.citations.map((id) => id + offset) });
  const all = {
    claims: [...draft.claims, ...next.claims.map(citing)],
    citations: [...draft.citations, ...next.citations.map((citation) => ({ ...citation, id: citation.id + offset }))],
  };
  const before = draft.claims.length;
  const blocks = [...(draft.blocks ?? []), ...renumberSentences(next.blocks ?? [], (index) => index + before)];
  const ledger: LedgerEntry[] = [...(draft.ledger ?? []), ...(next.ledger ?? [])];
  return {
    ...draft,
    ...mergeCitations(all),
    blocks,
    struck: [...(draft.struck ?? []), ...(next.struck ?? [])],
    cutOff: draft.cutOff === true || next.cutOff === true,
    ...(ledger.length > 0 && { ledger }),
  };
}
