import { type Block, renumberSentences } from "../domain/blocks.ts";
import { budgetOf, refusedBudget } from "../domain/budget.ts";
import { mergeCitations, renumber } from "../domain/citations.ts";
import { modelFailureEntry } from "../domain/failures.ts";
import type { Draft, SummaryView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { isChecked, type LedgerEntry } from "../domain/report.ts";
import { modelOf } from "../domain/request.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { labelHasFigures } from "../evidence/support/judge-sum.ts";
import { isChinese } from "../ranking/language.ts";
import { blocksToMarkdown } from "./cited-markdown.ts";
import { judgeSums } from "./judge-sums.ts";
import { collectNotes, type Noted } from "./notes.ts";
import type { PlannedSection } from "./outline-text.ts";
import type { WriteRequest } from "./prepare-text.ts";
import { createOutlineRole, createSectionRole } from "./roles.ts";
import { requireReplaceable } from "./rules-fallback.ts";
import { writeText, writeTexts } from "./write-texts.ts";
import { SUMMARY_FORMAT } from "./written-text.ts";

const MAX_SECTIONS = 8;
/** A report with fewer sections is written at once. */
const MIN_SECTIONS = 2;

const NOTHING_HOLDS = "No sentence of the model's section has a citation that holds.";

type OutlinedReport = Omit<WriteRequest, "writer" | "view"> & { readonly view: SummaryView };

/**
 * Writes a long report from notes: first the lead and an outline, then the sections side by side, each from its notes. Returns null if there
 * are no notes, too few model calls are left, or the model plans no section. A section that the model does not write, or of which nothing is
 * supported by a note, consists of its notes.
 */
export async function writeOutlined(request: OutlinedReport, effects: Effects): Promise<Draft | null> {
  const { view, prompts } = request;
  const most = Math.min(MAX_SECTIONS, budgetOf(view.limits, effects).left.modelCalls - 1);
  const notes = collectNotes(view.executed, view.readings);
  if (notes.length === 0 || most < MIN_SECTIONS) return null;
  const outline = createOutlineRole(view, notes, most, prompts);
  const lead = await writeText({ ...request, writer: outline }, effects);
  if (lead === null || (outline.sections().length === 0 && lead.claims.length > 0)) return null;
  const callId = showSummary({ answer: answerOf(lead, view) }, effects);
  const written = await writeSections(outline.sections(), notes, request, effects);
  const draft = written.reduce(appendDraft, lead);
  showSummary({ answer: answerOf(draft, view), answers: draft.answers ?? null, missing: [...(draft.missing ?? [])] }, effects, callId);
  return draft;
}

async function writeSections(
  sections: readonly PlannedSection[],
  notes: readonly Noted[],
  request: OutlinedReport,
  effects: Effects,
): Promise<Draft[]> {
  const since = effects.now();
  const { view, prompts, models } = request;
  const planned = sections.map((section) => {
    const own = notes.filter(({ evidence }) => section.notes.includes(evidence.id));
    return { section, own, writer: createSectionRole(view, section, sections, own, prompts) };
  });
  const written = await writeTexts(
    planned.map(({ writer }) => ({ ...request, writer })),
    effects,
  );
  return planned.map(({ section, own, writer }, index) => {
    const one = written[index];
    const listed = sectionOfNotes(section, own, view);
    if (one?.ok === true && (one.value === null || one.value.claims.some(isChecked) || listed.claims.length === 0))
      return one.value ?? listed;
    const error = toDossierError(one?.ok === false ? one.error : new DossierError("model_output", NOTHING_HOLDS));
    if (refusedBudget(error) === null) requireReplaceable(error, view, effects);
    const model = modelOf(models, writer.role);
    return { ...listed, ledger: [modelFailureEntry({ model, target: "section", error, ms: effects.elapsedMs(since) })] };
  });
}

/** The notes themselves, as a list under the heading of their section. The figures of the heading must stand in them, as in any section. */
export function sectionOfNotes(
  { heading: text }: Pick<PlannedSection, "heading">,
  notes: readonly Noted[],
  { executed, question }: Pick<SummaryView, "executed" | "question">,
): Draft {
  const places = notes.map(({ evidence }) => evidence);
  const parts = executed.map(({ findings }): Draft => {
    const citations = findings.citations.filter(({ contentHash, start, end }) =>
      places.some((place) => place.contentHash === contentHash && place.start <= start && end <= place.end),
    );
    const ids = new Set(citations.map(({ id }) => id));
    const claims = findings.claims.filter((claim) => claim.citations.length > 0 && claim.citations.every((id) => ids.has(id)));
    return { claims: claims.map((claim) => ({ ...claim, section: text })), citations, reason: null };
  });
  const { claims, citations } = parts.reduce(appendDraft);
  const list: Block = { kind: "list", items: claims.map((_, index) => ({ level: 0, sentences: [index] })) };
  const heading: Block = { kind: "heading", level: 2, text, support: labelHasFigures(text) ? "summary" : null, reason: null };
  const evidence = new Map(notes.map((note) => [note.evidence.id, note.evidence]));
  const { blocks } = judgeSums({ claims, citations, blocks: [heading, list] }, evidence, { names: [question], addresses: [] });
  return { claims, citations, reason: null, blocks };
}

/** Adds the text of `next` below that of `draft`. */
function appendDraft(draft: Draft, next: Draft): Draft {
  const offset = Math.max(0, ...draft.citations.map(({ id }) => id));
  const added = renumber(next, offset);
  const all = { claims: [...draft.claims, ...added.claims], citations: [...draft.citations, ...added.citations] };
  const before = draft.claims.length;
  const blocks = [...(draft.blocks ?? []), ...renumberSentences(next.blocks ?? [], (index) => index + before)];
  const ledger: LedgerEntry[] = [...(draft.ledger ?? []), ...(next.ledger ?? [])];
  return {
    ...draft,
    ...mergeCitations(all),
    blocks,
    struck: [...(draft.struck ?? []), ...(next.struck ?? [])],
    cutOff: draft.cutOff === true || next.cutOff === true,
    ...(ledger.length > 0 && { ledger }),
  };
}

/** Shows the summary as a component that grows, and returns the id of its call. */
function showSummary(props: Record<string, string | string[] | null>, effects: Effects, begun?: string): string {
  const callId = begun ?? effects.nextId();
  const { name } = SUMMARY_FORMAT;
  effects.emit({ type: "component", component: name, props, partial: begun === undefined, callId, try: 1 });
  return callId;
}

function answerOf({ blocks = [], claims }: Draft, view: SummaryView): string {
  return blocksToMarkdown(blocks, claims, isChinese(view) ? "zh" : "en")
    .join("")
    .trim();
}
