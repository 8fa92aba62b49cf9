import { budgetOf } from "../domain/budget.ts";
import { mergeFindings, NOTHING_FOUND } from "../domain/citations.ts";
import type { Analyst, Draft, NotesView, Reading, ResearchAnalyst, SummaryView, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { isChecked, type LedgerEntry } from "../domain/report.ts";
import type { Models } from "../domain/request.ts";
import { DossierError } from "../errors.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { type ByModel, type ModelDeps, modelOrRules } from "./call-model.ts";
import { collectNotes } from "./notes.ts";
import { writeOutlined } from "./outlined-report.ts";
import { SUMMARY_FORMAT } from "./read-text.ts";
import { readerRole, summaryRole, type TextRole, WRITING_NODE, writerRole } from "./text-roles.ts";
import { writeText } from "./write-text.ts";

export interface ModelAnalystDeps extends ModelDeps {
  readonly rules: Analyst;
}

const writeIn =
  <View extends WritingView>(roleOf: (view: View) => TextRole): ByModel<View, Draft, ModelAnalystDeps> =>
  async (view, models, deps, effects) => {
    const written = await writeText({ ...deps, view, models, role: roleOf(view) }, effects);
    return written ?? writeUnsent(view, deps.rules, effects);
  };

/** Writes a report from passages of documents. */
export const writeByModel = writeIn(writerRole);

/** Writes a report of what todos found, from their notes: with an outline if it has sections, otherwise in one call. */
export async function summarizeByModel(
  view: SummaryView,
  models: Models,
  deps: ModelDeps & { readonly rules: Pick<ResearchAnalyst, "summarize"> },
  effects: Effects,
): Promise<Draft> {
  const request = { ...deps, view, models };
  const notes = collectNotes(view.executed, view.readings);
  const outlined = view.contextOfPart === undefined ? null : await writeOutlined(request, notes, effects);
  const written = outlined ?? (await writeText({ ...request, role: summaryRole(view, notes, SUMMARY_FORMAT.sketch) }, effects));
  return written === null ? deps.rules.summarize(view, effects) : requireSupport(written, view.executed);
}

/** @throws DossierError `model_output` if nothing that the model wrote is supported although todos have quotes, which must not be lost */
function requireSupport(draft: Draft, executed: SummaryView["executed"]): Draft {
  const { claims } = draft;
  const areQuoted = executed.some(({ findings }) => findings.claims.some(isChecked));
  if (claims.length === 0 || claims.some(isChecked) || !areQuoted) return draft;
  throw new DossierError("model_output", "No sentence of the model's report has a citation that holds.");
}

/**
 * Takes notes from all documents in one call, or from each in a call of its own while the budget has calls to spare. Rules quote a document that
 * no model reads.
 */
export function takingNotes(deps: ModelAnalystDeps): (view: NotesView, effects: Effects) => Promise<Draft> {
  const read = modelOrRules({ model: "reader", stage: WRITING_NODE }, writeIn(readerRole), deps.rules.write, deps);
  return async (view, effects) => {
    if (!view.each || view.models === null) return read({ ...view, each: false }, effects);
    const distinct = [...new Map(view.readings.map((reading) => [reading.document.contentHash, reading])).values()];
    const calls = budgetOf(view.limits, effects).takeCallsToGather(distinct.length);
    const alone = distinct.slice(0, calls).map((reading) => ({ ...view, readings: [reading] }));
    // The best documents are read alone, and the others at the same time in one call that is kept for them.
    const rest = calls < distinct.length ? [{ ...view, readings: distinct.slice(calls), each: false }] : [];
    const drafts = await Promise.all([...alone, ...rest].map((own) => read(own, effects)));
    const notes = distinct.slice(0, calls).map((reading, at) => notesOf(drafts[at], reading, effects));
    return joinNotes([...notes, ...drafts.slice(calls)]);
  };
}

/** The section of a note names its document. */
function notesOf(notes: Draft = NOTHING_FOUND, { hit, document }: Reading, effects: Effects): Draft {
  const section = sanitizeText(document.title || hit.title, []).trim();
  const claims = notes.claims.map((claim) => ({ ...claim, section }));
  const { length: links } = notes.named ?? [];
  const taken = { notes: claims.filter(isChecked).length, ...(links > 0 && { links }) };
  effects.emit({ type: "notes-taken", sourceId: hit.id, contentHash: document.contentHash, ...taken });
  return { ...notes, claims };
}

/** Joins notes so that the first ones of each document come first. */
function joinNotes(drafts: readonly Draft[]): Draft {
  const ledger = drafts.flatMap((draft) => draft.ledger ?? []);
  const spent = drafts.find((draft) => draft.spent)?.spent;
  const findings = mergeFindings(drafts);
  const places = new Map<string, number>();
  for (const { claims } of drafts)
    for (const [place, { text }] of claims.entries()) places.set(text, Math.min(place, places.get(text) ?? place));
  const claims = findings.claims.toSorted((a, b) => (places.get(a.text) ?? 0) - (places.get(b.text) ?? 0));
  const struck = drafts.flatMap((draft) => draft.struck ?? []);
  const named = drafts.flatMap((draft) => draft.named ?? []);
  return { ...findings, claims, struck, ...(named.length > 0 && { named }), ...(ledger.length > 0 && { ledger }), ...(spent && { spent }) };
}

/** Rules write if there is nothing to send: nothing was read, or no passage of it is relevant, which the ledger says of each document. */
async function writeUnsent(view: WritingView, rules: Pick<Analyst, "write">, effects: Effects): Promise<Draft> {
  const draft = await rules.write(view, effects);
  const detail = "Not sent to the model, as no passage is relevant.";
  const entries = view.readings.map(({ hit: { title, url } }): LedgerEntry => {
    return { what: "rerank", source: "words", target: title || url, outcome: "nothing", results: 0, failure: null, detail, ms: 0 };
  });
  return { ...draft, ledger: [...(draft.ledger ?? []), ...entries] };
}
