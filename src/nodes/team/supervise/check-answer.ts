import { coverageOf, verifyClaims } from "../../../domain/citation.ts";
import type { Claim } from "../../../domain/report.ts";
import type { Child } from "../../../domain/team.ts";
import type { Evidence } from "../../../evidence/evidence.ts";
import type { ChildWork } from "../../../graphs/team/state.ts";
import { type Answer, asRead } from "../../agent/conclude/read-answer.ts";
import { countOrigins, originsOfCited } from "../../claim-origins.ts";
import type { Places } from "./places.ts";

/** The supervisor's answer without what it has no evidence for: words that no child has quoted, and sentences of theirs that stand on nothing. */
export function withoutUpgrades(
  answer: Answer,
  work: readonly ChildWork[],
  places: Places,
  evidence: ReadonlyMap<string, Evidence>,
): Answer {
  const spoken = work.flatMap(({ claims }) => claims);
  const supported = new Set(spoken.filter((claim) => claim.supported).map(({ text }) => folded(text)));
  const unsupported = new Set(spoken.map(({ text }) => folded(text)).filter((text) => !supported.has(text)));
  const claims = answer.claims.map((claim) =>
    unsupported.has(folded(claim.text)) ? { ...claim, supported: false, citations: [] } : claim,
  );
  const citations = answer.citations.filter((citation) => places.holds(citation));
  return checked(claims, citations, evidence, answer.text);
}

/** What the children have said, one after another, where nobody sums it up. Of those that failed only where no other has anything. */
export function listed(
  children: readonly Child[],
  work: readonly ChildWork[],
  places: Places,
  evidence: ReadonlyMap<string, Evidence>,
): Answer {
  const finished = children.filter(({ success }) => success === true);
  const heard = finished.length > 0 ? finished : children;
  const parts = heard.flatMap(({ id }) => work.filter((one) => one.id === id));
  const numbers = new Map(places.all.map(({ id }, index) => [id, index + 1]));
  const claims = parts.flatMap(({ id, claims, citations }) =>
    claims.map((claim): Claim => {
      const cited = citations.filter((citation) => claim.citations.includes(citation.id));
      const renumbered = cited.flatMap((citation) => numbers.get(places.idOf(citation) ?? "") ?? []);
      return { ...claim, citations: renumbered, section: id };
    }),
  );
  const citations = places.all.map(({ citation }, index) => ({ ...citation, id: index + 1 }));
  const outputs = finished.map(({ id, output }) => `## ${id}\n\n${output ?? ""}`).join("\n\n");
  const cites = claims.some((claim) => claim.citations.length > 0);
  return checked(claims, citations, evidence, cites || outputs === "" ? null : outputs);
}

function checked(
  claims: readonly Claim[],
  citations: Answer["citations"],
  evidence: ReadonlyMap<string, Evidence>,
  text: string | null,
): Answer {
  const texts = new Map([...evidence.values()].map(({ contentHash, text }) => [contentHash, text]));
  const verified = verifyClaims(claims, citations, (hash) => texts.get(hash), "show");
  const origins = originsOfCited(verified.citations, [...evidence.values()].map(asRead));
  const shown = countOrigins(verified.claims, verified.citations, origins);
  return { claims: shown, citations: verified.citations, coverage: coverageOf(shown, 0), origins, text };
}

function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, "");
}
