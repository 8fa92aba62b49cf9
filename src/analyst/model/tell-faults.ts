import type { Said } from "./manner.ts";
import type { ReadReport } from "./read-report.ts";

const MAX_TOLD_FAULTS = 20;

/** What a model is told of its own text that cannot stay as it is, in lines. */
export function tellFaults({ fault }: Said, { faults, unsupported }: ReadReport): string {
  const told = [
    ...(fault === null ? [] : [`- ${fault}`]),
    ...faults.map(({ sentence, marker, why }) =>
      why === "figure_not_in_quote" ? `- ${sentence}: ${marker} ${REASONS[why]}` : `- ${marker}: ${REASONS[why]}`,
    ),
    ...unsupported.map((sentence) => `- ${sentence}: no citation holds`),
  ];
  return told.slice(0, MAX_TOLD_FAULTS).join("\n") || "- there is none";
}

const REASONS = {
  unknown_id: "there is no passage of that id",
  quote_not_found: "these words do not stand in that passage",
  no_quote: "it quotes no words",
  figure_not_in_quote: "stands in none of the words that it quotes",
} as const;
