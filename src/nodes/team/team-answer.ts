import { type Block, renumberSentences } from "../../domain/blocks.ts";
import { unverified } from "../../domain/citations.ts";
import { type Claim, isChecked } from "../../domain/report.ts";
import type { Child } from "../../domain/team.ts";
import type { Answer } from "../agent/answer.ts";
import type { QuotedPassages } from "./quoted-passages.ts";
import type { ChildWork } from "./state.ts";

/** Drops citations that no child quoted. A paraphrase is unverified if the children wrote the same words only without support. */
export function removeUnsupported(answer: Answer, work: readonly ChildWork[], passages: QuotedPassages): Answer {
  const reasons = unverifiedByChildren(work);
  const claims = answer.claims.map((claim) => {
    const reason = claim.support === "paraphrased" ? reasons.get(normalized(claim.text)) : undefined;
    return reason === undefined ? claim : { ...claim, ...unverified(reason), citations: [] };
  });
  const citations = answer.citations.filter((citation) => passages.overlaps(citation));
  return { ...answer, claims, citations };
}

/** Maps the sentences that no answer of a child supports to the reason. */
function unverifiedByChildren(work: readonly ChildWork[]): ReadonlyMap<string, string> {
  const found = work.flatMap(({ claims }) => claims);
  const checked = new Set(found.filter(isChecked).map(({ text }) => normalized(text)));
  const reasons = found.map(({ text, reason }) => [normalized(text), reason ?? "no_citation"] as const);
  return new Map(reasons.filter(([text]) => !checked.has(text)));
}

/** Lists the answers of the children under headings with their ids, in place of an answer of the supervisor. */
export function listAnswers(children: readonly Child[], work: readonly ChildWork[], passages: QuotedPassages): Answer {
  const finished = children.filter(({ output }) => output !== null);
  const shown = finished.length > 0 ? finished : children;
  const parts = shown.flatMap(({ id }) => work.filter((one) => one.id === id));
  const claims: Claim[] = [];
  const blocks: Block[] = [];
  for (const part of parts) {
    blocks.push(...blocksUnder(part, claims.length));
    claims.push(...part.claims.map((claim) => renumberCitations(claim, part, passages)));
  }
  const citations = passages.all.map((citation, index) => ({ ...citation, id: index + 1 }));
  const outputs = finished.map(({ id, output }) => `## ${id}\n\n${output ?? ""}`).join("\n\n");
  const cites = claims.some((claim) => claim.citations.length > 0);
  const text = cites || outputs === "" ? null : outputs;
  return { claims, citations, blocks, reason: null, text };
}

const CHILD_LEVEL = 2;
const MAX_LEVEL = 6;

/** Returns the blocks of a child's answer under a heading with its id. The child's own headings move below it. */
function blocksUnder(part: ChildWork, offset: number): Block[] {
  const own = renumberSentences(part.blocks, (index) => index + offset);
  const heading = { kind: "heading", support: null, reason: null } as const;
  const below = own.map((block) =>
    block.kind === "heading" ? { ...block, level: Math.min(MAX_LEVEL, Math.max(CHILD_LEVEL, block.level) + 1) } : block,
  );
  return [{ ...heading, level: CHILD_LEVEL, text: part.id }, ...below];
}

function renumberCitations(claim: Claim, { id, citations }: ChildWork, passages: QuotedPassages): Claim {
  const cited = citations.filter((citation) => claim.citations.includes(citation.id));
  return { ...claim, citations: cited.map((citation) => passages.numberOf(citation)), section: id };
}

function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, "");
}
