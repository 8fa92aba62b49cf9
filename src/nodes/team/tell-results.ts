import type { Citation, Claim } from "../../domain/report.ts";
import type { Child } from "../../domain/team.ts";
import { fence } from "../../evidence/fence.ts";
import type { ChildWork } from "../../graphs/team/state.ts";

/** The most of one child's result, and of one quote, that others are told, in UTF-16 code units. */
const MAX_RESULT_LENGTH = 8_000;
const MAX_QUOTE_LENGTH = 400;

/**
 * What children have come to, as others are told of it: fenced as data; sentences that stand on a source with its quote, under the id
 * that `idOf` has for it.
 */
export function tellResults(children: readonly Child[], work: readonly ChildWork[], idOf: (citation: Citation) => string | null): string {
  return children
    .map((child) =>
      resultOf(
        child,
        work.find(({ id }) => id === child.id),
        idOf,
      ),
    )
    .join("\n\n");
}

function resultOf(child: Child, work: ChildWork | undefined, idOf: (citation: Citation) => string | null): string {
  const { id, success, error } = child;
  const cited = sentencesOf(work, idOf);
  const said = success === true ? (cited ?? child.output ?? "") : [error?.message ?? "", foundUntilThen(cited)].join("\n").trim();
  const text = fence(id, said.slice(0, MAX_RESULT_LENGTH).toWellFormed() || "Nothing.");
  return success === true ? `${id} has finished:\n${text}` : `${id} has failed (${error?.code ?? "unknown"}):\n${text}`;
}

function foundUntilThen(cited: string | null): string {
  return cited === null ? "" : `Found until then:\n${cited}`;
}

/** Null where none of them stands on anything: then the text says more. */
function sentencesOf(work: ChildWork | undefined, idOf: (citation: Citation) => string | null): string | null {
  if (work === undefined || work.citations.length === 0) return null;
  const byId = new Map(work.citations.map((citation) => [citation.id, citation]));
  const markerOf = (number: number): string => {
    const citation = byId.get(number);
    const id = citation === undefined ? null : idOf(citation);
    return citation === undefined || id === null ? "" : ` [${id}: "${citation.quote.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}"]`;
  };
  return work.claims.map(({ text, citations }: Claim) => text + citations.map(markerOf).join("")).join("\n");
}
