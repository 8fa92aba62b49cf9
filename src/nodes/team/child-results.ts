import { estimateTokens } from "../../domain/chat.ts";
import type { Citation, Claim } from "../../domain/report.ts";
import type { Models } from "../../domain/request.ts";
import type { Child } from "../../domain/team.ts";
import { fence } from "../../evidence/data-fence.ts";
import type { ChildWork } from "./state.ts";

/** The most of one child's result, and of one quote, that others are told, in UTF-16 code units; and the least. */
const MAX_RESULT_LENGTH = 8_000;
const MIN_RESULT_LENGTH = 250;
const MAX_QUOTE_LENGTH = 400;
/** The most of what a model can be told that results may take. */
const RESULTS_SHARE = 0.5;

/** How citations are named, and for which models there has to be room. */
export interface Telling {
  readonly idOf: (citation: Citation) => string | null;
  readonly models: Pick<Models, "contextTokens" | "maxOutputTokens">;
}

/**
 * What children have come to, as others are told of it: fenced as data; sentences that stand on a source with its quote, under the id
 * that `idOf` has for it. Where the model has no room for all of it, each is told as much.
 */
export function formatResults(children: readonly Child[], work: readonly ChildWork[], { idOf, models }: Telling): string {
  const maxTokens = Math.max(0, models.contextTokens - models.maxOutputTokens) * RESULTS_SHARE;
  const told = (maxLength: number): string => {
    const texts = children
      .map((child) =>
        resultOf(
          child,
          work.find(({ id }) => id === child.id),
          idOf,
          maxLength,
        ),
      )
      .join("\n\n");
    return estimateTokens(texts) <= maxTokens || maxLength <= MIN_RESULT_LENGTH ? texts : told(maxLength / 2);
  };
  return told(MAX_RESULT_LENGTH);
}

function resultOf(child: Child, work: ChildWork | undefined, idOf: Telling["idOf"], maxLength: number): string {
  const { id, success, error } = child;
  const cited = sentencesOf(work, idOf);
  const said = success === true ? (cited ?? child.output ?? "") : [error?.message ?? "", foundUntilThen(cited)].join("\n").trim();
  const cut = said.length > maxLength ? `${said.slice(0, maxLength)} […]` : said;
  const text = fence(id, cut.toWellFormed() || "Nothing.");
  return success === true ? `${id} has finished:\n${text}` : `${id} has failed (${error?.code ?? "unknown"}):\n${text}`;
}

function foundUntilThen(cited: string | null): string {
  return cited === null ? "" : `Found until then:\n${cited}`;
}

/** Null where none of them stands on anything: then the text says more. */
function sentencesOf(work: ChildWork | undefined, idOf: Telling["idOf"]): string | null {
  if (work === undefined || work.citations.length === 0) return null;
  const byId = new Map(work.citations.map((citation) => [citation.id, citation]));
  const markerOf = (number: number): string => {
    const citation = byId.get(number);
    const id = citation === undefined ? null : idOf(citation);
    return citation === undefined || id === null ? "" : ` [${id}: "${citation.quote.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}"]`;
  };
  return work.claims.map(({ text, citations }: Claim) => text + citations.map(markerOf).join("")).join("\n");
}
