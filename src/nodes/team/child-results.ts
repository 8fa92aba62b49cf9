import { estimateTokens } from "../../domain/chat.ts";
import { type Hit, mergeHits } from "../../domain/hit.ts";
import { type Citation, type Claim, citesInVain } from "../../domain/report.ts";
import type { Models } from "../../domain/request.ts";
import type { Child } from "../../domain/team.ts";
import { fence } from "../../evidence/data-fence.ts";
import { describeSource } from "../../gathering/found.ts";
import type { ChildWork } from "./state.ts";

/** The limits of one child's result and of one quote are in UTF-16 code units. */
const MAX_RESULT_LENGTH = 8_000;
const MIN_RESULT_LENGTH = 250;
const MAX_QUOTE_LENGTH = 400;
const RESULTS_SHARE = 0.5;

interface ResultOptions {
  readonly idOf: (citation: Citation) => string;
  readonly hits: readonly Hit[];
  readonly models: Pick<Models, "contextTokens" | "maxOutputTokens">;
}

/**
 * Formats the children's results for a model as fenced data, and lists the sources that they quote. Cuts all results to the same length, so
 * that they fit into half of the context.
 */
export function formatResults(children: readonly Child[], work: readonly ChildWork[], { idOf, hits, models }: ResultOptions): string {
  const maxTokens = Math.max(0, models.contextTokens - models.maxOutputTokens) * RESULTS_SHARE;
  const format = (maxLength: number): string => {
    const workOf = (child: Child): ChildWork | undefined => work.find(({ id }) => id === child.id);
    const texts = children.map((child) => resultOf(child, workOf(child), idOf, maxLength)).join("\n\n");
    return estimateTokens(texts) <= maxTokens || maxLength <= MIN_RESULT_LENGTH ? texts : format(maxLength / 2);
  };
  return [format(MAX_RESULT_LENGTH), ...listSources(work, idOf, hits)].join("\n\n");
}

const MAX_SOURCES = 40;

function listSources(work: readonly ChildWork[], idOf: ResultOptions["idOf"], hits: readonly Hit[]): string[] {
  const byId = new Map(mergeHits([], hits).map((hit) => [hit.id, hit]));
  const bySource = Map.groupBy(
    work.flatMap(({ citations }) => citations),
    ({ sourceId }) => sourceId,
  );
  const lines = [...bySource].flatMap(([sourceId, citations]) => {
    const hit = byId.get(sourceId);
    return hit === undefined ? [] : [`${[...new Set(citations.map(idOf))].join(", ")}: ${describeSource(hit)}`];
  });
  return lines.length === 0 ? [] : [`The quoted sources:\n${fence("sources", lines.slice(0, MAX_SOURCES).join("\n"))}`];
}

function resultOf(child: Child, work: ChildWork | undefined, idOf: ResultOptions["idOf"], maxLength: number): string {
  const { id, success, output, error } = child;
  const cited = sentencesOf(work, idOf);
  const found = cited === null ? "" : `Found until then:\n${cited}`;
  const result = success === true ? (cited ?? output ?? "") : `${error?.message ?? ""}\n${found}`.trim();
  const cut = result.length > maxLength ? `${result.slice(0, maxLength)} […]` : result;
  const text = fence(id, cut.toWellFormed() || "Nothing.");
  return success === true ? `${id} has finished:\n${text}` : `${id} has failed (${error?.code ?? "unknown"}):\n${text}`;
}

function sentencesOf(work: ChildWork | undefined, idOf: ResultOptions["idOf"]): string | null {
  if (work === undefined || (work.citations.length === 0 && !work.claims.some(citesInVain))) return null;
  const byId = new Map(work.citations.map((citation) => [citation.id, citation]));
  const markerOf = (number: number): string => {
    const citation = byId.get(number);
    return citation === undefined ? "" : ` [${idOf(citation)}: "${citation.quote.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}"]`;
  };
  return work.claims.map(({ text, citations }: Claim) => text + citations.map(markerOf).join("")).join("\n");
}
