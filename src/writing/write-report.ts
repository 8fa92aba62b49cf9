import { budgetOf, refusedBudget } from "../domain/budget.ts";
import { mergeFindings } from "../domain/citations.ts";
import { modelFailureEntry } from "../domain/failures.ts";
import type { Analyst, Draft, NotesView, Reading, ResearchAnalyst, SummaryView, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { isChecked, type LedgerEntry } from "../domain/report.ts";
import { type Models, modelOf } from "../domain/request.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { collectNotes } from "./notes.ts";
import { writeOutlined } from "./outlined-report.ts";
import { createReaderRole, createSummaryRole, createWriterRole, READER } from "./roles.ts";
import { type ModelAnalystDeps, type ModelDeps, modelOrRules, requireReplaceable } from "./rules-fallback.ts";
import type { TextRole } from "./text-role.ts";
import { writeText, writeTexts } from "./write-texts.ts";

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

interface Reader extends ModelAnalystDeps {
  readonly view: NotesView;
  readonly models: Models;
  readonly effects: Effects;
}

/** Takes notes from all documents in one call, or from each in a call of its own while the budget has calls to spare. */
export function takingNotes(deps: ModelAnalystDeps): (view: NotesView, effects: Effects) => Promise<Draft> {
  return modelOrRules(READER, takeNotesByModel, deps.rules.write, deps);
}

async function takeNotesByModel(view: NotesView, models: Models, deps: ModelAnalystDeps, effects: Effects): Promise<Draft> {
  const reader: Reader = { ...deps, view, models, effects };
  const notes = view.each ? await noteEach(reader) : await noteTogether(reader);
  return notes ?? writeUnsent(view, deps.rules, effects);
}

function noteTogether({ view, effects, ...deps }: Reader): Promise<Draft | null> {
  return writeText({ ...deps, view, writer: createReaderRole(view, deps.prompts, "write") }, effects);
}

async function noteEach(reader: Reader): Promise<Draft | null> {
  const { view, effects, ...deps } = reader;
  const since = effects.now();
  const distinct = [...new Map(view.readings.map((reading) => [reading.document.contentHash, reading])).values()];
  const groups = groupReadings(distinct, budgetOf(view.limits, effects).takeCallsToGather(distinct.length));
  const requests = groups.map(({ readings, purpose }) => {
    const own = { ...view, readings };
    return { ...deps, view: own, writer: createReaderRole(own, deps.prompts, purpose) };
  });
  const drafts: Draft[] = [];
  const left: Reading[] = [];
  const failed: DossierError[] = [];
  let unsent = 0;
  for (const [index, written] of (await writeTexts(requests, effects)).entries()) {
    const { readings = [] } = groups[index] ?? {};
    if (written.ok && written.value === null) unsent += readings.length;
    if (written.ok) drafts.push(notesOf({ ...written.value }, readings, effects));
    else if (refusedBudget(toDossierError(written.error)) !== null) left.push(...readings);
    else failed.push(requireReplaceable(written.error, view, effects));
  }
  const [first] = failed;
  if (first !== undefined && failed.length === groups.length) throw first;
  // What has no call of its own left is read in one call together, or by rules if that is refused too.
  if (left.length > 0) drafts.push(await takingNotes(deps)({ ...view, readings: left, each: false }, effects));
  const model = modelOf(reader.models, READER.model);
  const entries = failed.map((error) => modelFailureEntry({ model, target: "notes", error, ms: effects.elapsedMs(since) }));
  return joinNotes(drafts, [...entries, ...unsentEntries({ ...view, readings: distinct }, unsent)]);
}

interface Group extends Pick<TextRole, "purpose"> {
  readonly readings: readonly Reading[];
}

/** The best documents are read alone, and those for which there are not enough calls in one call that is kept for them, at the same time. */
function groupReadings(readings: readonly Reading[], calls: number): Group[] {
  const alone = readings.slice(0, calls).map((reading): Group => ({ readings: [reading], purpose: "gather" }));
  const rest = readings.slice(calls);
  return rest.length === 0 ? alone : [...alone, { readings: rest, purpose: "write" }];
}

/** The section of a note names its document, if that was read alone. */
function notesOf(draft: Partial<Draft>, readings: readonly Reading[], effects: Effects): Draft {
  const notes = { citations: [], claims: [], reason: null, ...draft };
  const [reading] = readings;
  if (reading === undefined || readings.length > 1) return notes;
  const { hit, document } = reading;
  const section = sanitizeText(document.title || hit.title, []).trim();
  const claims = notes.claims.map((claim) => ({ ...claim, section }));
  const { length: links } = draft.named ?? [];
  const taken = { notes: claims.filter(isChecked).length, ...(links > 0 && { links }) };
  effects.emit({ type: "notes-taken", sourceId: hit.id, contentHash: document.contentHash, ...taken });
  return { ...notes, claims };
}

/** Joins notes so that the first ones of each document come first. */
function joinNotes(drafts: readonly Draft[], entries: readonly LedgerEntry[]): Draft {
  const ledger = [...drafts.flatMap((draft) => draft.ledger ?? []), ...entries];
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

/** Rules write if there is nothing to send: nothing was read, or no passage of it is relevant, which the ledger says. */
async function writeUnsent(view: WritingView, rules: Pick<Analyst, "write">, effects: Effects): Promise<Draft> {
  const draft = await rules.write(view, effects);
  return { ...draft, ledger: [...(draft.ledger ?? []), ...unsentEntries(view, view.readings.length)] };
}

/** Says how many of the documents have no relevant passage, so that nothing of them was sent to a model. */
function unsentEntries({ question, readings }: WritingView, unsent: number): LedgerEntry[] {
  if (unsent === 0) return [];
  const detail = `Not sent to the model, as no passage is relevant: ${unsent} of ${readings.length} documents.`;
  return [{ what: "rerank", source: "words", target: question, outcome: "nothing", results: 0, failure: null, detail, ms: 0 }];
}
