import { arrangeBySection, renumberSentences } from "../domain/blocks.ts";
import { coverageOf, verifiedPassages, verifyClaims, withPlaces } from "../domain/citations.ts";
import { nameFilesOnce } from "../domain/left-out.ts";
import type { Draft, Reading } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { checkedAnswers, type DraftClaim, type LedgerEntry, type Report, type ReportContent, type Source } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { countFigureOrigins, countOrigins, originsOfRead } from "./origins.ts";

interface FinishedParts {
  readonly task: Pick<Task, "question" | "language" | "unsupported" | "models">;
  readonly draft: Draft;
  /** The documents that the draft may quote. */
  readonly readings: readonly Reading[];
  /** Loads what else was read, to count who states a figure. Without it, figures are not counted. */
  readonly loadOthers?: () => Promise<readonly Reading[]>;
  /** The sources, with the origin of each by its id. */
  readonly sources: (origins: ReadonlyMap<string, string>) => Source[];
  readonly ledger: readonly LedgerEntry[];
  /** Sentences that are shown below the checked ones. They cite nothing. */
  readonly added?: (claims: readonly DraftClaim[]) => readonly DraftClaim[];
  /** What the model wrote beside the report. */
  readonly summary?: string | null;
  readonly render: (content: ReportContent) => string;
}

/** Checks each quote of a draft against the text of its document, counts the sources, and renders the report. Every graph ends with it. */
export async function finishReport(parts: FinishedParts, effects: Pick<Effects, "compute">): Promise<Report> {
  const { task, draft, readings, sources, ledger, added = () => [], loadOthers, summary = null, render } = parts;
  const documents = readings.map(({ document }) => document);
  const texts = new Map(documents.map(({ contentHash, text }) => [contentHash, text]));
  const textOf = (hash: string): string | undefined => texts.get(hash);
  const verified = verifyClaims(draft, textOf, task.unsupported);
  const citations = withPlaces(verified.citations, documents);
  const origins = originsOfRead(citations, readings);
  const more = added(verified.claims);
  const blocks = [...verified.blocks, ...renumberSentences(arrangeBySection(more), (index) => verified.claims.length + index)];
  const counted = countOrigins([...verified.claims, ...more], citations, origins);
  const written = { blocks, claims: counted, citations, readings, origins };
  const claims = loadOthers && task.models !== null ? await countFigureOrigins(written, effects, loadOthers) : counted;
  const content = {
    ...{ blocks, claims, citations },
    closest: claims.length > 0 ? [] : withPlaces(verifiedPassages(draft.closest ?? [], textOf), documents),
    sources: sources(origins),
    coverage: coverageOf(claims, verified.struck.length),
    ledger: nameFilesOnce(ledger),
    answers: checkedAnswers(draft.answers ?? null, claims),
    missing: [...(draft.missing ?? [])],
    struck: verified.struck,
    ...(draft.cutOff === true && { cutOff: true as const }),
  };
  const { question, language } = task;
  return { ...content, summary, markdown: render({ question, language, reason: draft.reason, ...content }) };
}
