import { estimateTokens } from "../domain/chat.ts";
import type { Executed } from "../domain/ports/analyst.ts";
import type { Citation } from "../domain/report.ts";
import { fence } from "../evidence/data-fence.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { short } from "./prompt-text.ts";

const MAX_CLAIMS = 12;
const MAX_CLAIM_LENGTH = 300;
/** Limits the findings of all todos in the prompt together. */
const MAX_FINDING_TOKENS = 6_000;

/** Writes what each todo found, fenced. What it quotes is named by the passage that a model is shown. */
export function formatFound(executed: readonly Executed[], passages: readonly Evidence[]): string {
  let room = MAX_FINDING_TOKENS;
  const texts = executed.map(({ todo, findings }) => {
    const { id, description, status, feedback } = todo;
    const lines = [...formatClaims(findings, passages), ...formatUnsourced(todo, findings)].filter((line) => {
      room -= estimateTokens(line);
      return room > 0;
    });
    const { reason } = findings;
    const why = reason !== null && feedback?.includes(reason) ? [feedback] : [feedback, reason];
    const open = status === "completed" ? (feedback ?? "") : why.filter(Boolean).join(" ");
    const told = short(open, MAX_CLAIM_LENGTH);
    const found = lines.join("\n") || "nothing";
    return fence(id, `${description}\n${status}${told === "" ? "" : `: ${told}`}\n${found}`);
  });
  return texts.join("\n") || "nothing";
}

/** In tokens, before the passages are chosen. */
export function sizeOfFound(executed: readonly Executed[]): number {
  const texts = executed.map(({ todo: { description }, findings: { claims, citations } }) => {
    const quotes = citations.map(({ quote }) => quote.slice(0, MAX_CLAIM_LENGTH));
    return [description, ...claims.slice(0, MAX_CLAIMS).map(({ text }) => text.slice(0, MAX_CLAIM_LENGTH)), ...quotes].join("\n");
  });
  return Math.min(MAX_FINDING_TOKENS, estimateTokens(texts.join("\n")));
}

function formatClaims({ claims, citations }: Executed["findings"], passages: readonly Evidence[]): string[] {
  const byId = new Map(citations.map((citation) => [citation.id, citation]));
  return claims.slice(0, MAX_CLAIMS).flatMap(({ text, citations: ids }) => {
    const cited = ids.flatMap((id) => byId.get(id) ?? []).flatMap((citation) => markerOf(citation, passages));
    const words = cited.length === 1 && text === byId.get(ids[0] ?? 0)?.quote ? "" : `${short(text, MAX_CLAIM_LENGTH)} `;
    return cited.length === 0 ? [] : [`- ${words}${cited.join(" ")}`];
  });
}

function formatUnsourced({ status, result }: Executed["todo"], { claims, citations }: Executed["findings"]): string[] {
  if (status !== "completed" || citations.length > 0) return [];
  const texts = claims.slice(0, MAX_CLAIMS).map(({ text }) => text);
  return (texts.length > 0 ? texts : [result ?? ""]).filter(Boolean).map((text) => `- (no source) ${short(text, MAX_CLAIM_LENGTH)}`);
}

function markerOf({ contentHash, start, end, quote }: Citation, passages: readonly Evidence[]): string[] {
  const of = passages.find((one) => one.contentHash === contentHash && one.start <= start && end <= one.end);
  return of === undefined ? [] : [`[${of.id}: “${short(quote, MAX_CLAIM_LENGTH)}”]`];
}
