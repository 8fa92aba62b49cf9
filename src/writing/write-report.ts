import type { Analyst, Draft, ResearchAnalyst, SummaryView, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { isChecked, type LedgerEntry } from "../domain/report.ts";
import type { Models } from "../domain/request.ts";
import { DossierError } from "../errors.ts";
import { collectNotes } from "./notes.ts";
import { writeOutlined } from "./outlined-report.ts";
import { createSummaryRole, createWriterRole } from "./roles.ts";
import type { ModelAnalystDeps, ModelDeps } from "./rules-fallback.ts";
import { writeText } from "./write-texts.ts";

/** Writes a report from passages of documents. */
export async function writeByModel(view: WritingView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<Draft> {
  const { model, rules, prompts } = deps;
  const written = await writeText({ view, models, model, prompts, writer: createWriterRole(view, prompts) }, effects);
  return written ?? writeUnsent(view, rules, effects);
}

/** Writes a report of what todos found: from passages or notes, with an outline if it has sections. */
export async function summarizeByModel(
  view: SummaryView,
  models: Models,
  { model, prompts, rules }: ModelDeps & { readonly rules: Pick<ResearchAnalyst, "summarize"> },
  effects: Effects,
): Promise<Draft> {
  const request = { view, models, model, prompts };
  const { fromNotes, executed, readings } = view;
  const outlined = fromNotes?.inSections ? await writeOutlined(request, effects) : null;
  const notes = fromNotes === undefined ? [] : collectNotes(executed, readings);
  const written = outlined ?? (await writeText({ ...request, writer: createSummaryRole(view, notes, prompts) }, effects));
  return written === null ? rules.summarize(view, effects) : requireSupport(written, executed);
}

/** @throws DossierError `model_output` if nothing that the model wrote is supported although todos have quotes, which must not be lost */
function requireSupport(draft: Draft, executed: SummaryView["executed"]): Draft {
  const { claims } = draft;
  const areQuoted = executed.some(({ findings }) => findings.claims.some(isChecked));
  if (claims.length === 0 || claims.some(isChecked) || !areQuoted) return draft;
  throw new DossierError("model_output", "No sentence of the model's report has a citation that holds.");
}

/** Rules write if there is nothing to send: nothing was read, or no passage of it is relevant, which the ledger says. */
export async function writeUnsent(view: WritingView, rules: Pick<Analyst, "write">, effects: Effects): Promise<Draft> {
  const draft = await rules.write(view, effects);
  return { ...draft, ledger: [...(draft.ledger ?? []), ...unsentEntries(view, view.readings.length)] };
}

/** Says how many of the documents have no relevant passage, so that nothing of them was sent to a model. */
export function unsentEntries({ question, readings }: WritingView, unsent: number): LedgerEntry[] {
  if (unsent === 0) return [];
  const detail = `Not sent to the model, as no passage is relevant: ${unsent} of ${readings.length} documents.`;
  return [{ what: "rerank", source: "words", target: question, outcome: "nothing", results: 0, failure: null, detail, ms: 0 }];
}
