import { type Block, renumberSentences } from "../domain/blocks.ts";
import { budgetOf } from "../domain/budget.ts";
import { mergeCitations, renumber } from "../domain/citations.ts";
import type { Draft, SummaryView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { isChecked, type LedgerEntry } from "../domain/report.ts";
import { DossierError } from "../errors.ts";
import { packEvidence } from "../evidence/packed-evidence.ts";
import { labelHasFigures } from "../evidence/support/judge-sum.ts";
import { isChinese } from "../ranking/language.ts";
import { modelFailure } from "./call-model.ts";
import { judgeSums } from "./check-support.ts";
import { blocksToMarkdown } from "./cited-markdown.ts";
import type { Noted } from "./notes.ts";
import type { WriteRequest } from "./prepare-text.ts";
import { SUMMARY_FORMAT } from "./read-text.ts";
import { outlineRole, type PlannedSection, sectionRole } from "./text-roles.ts";
import { writeText } from "./write-text.ts";

const MAX_SECTIONS = 8;
/** A report with fewer sections is written at once. */
const MIN_SECTIONS = 2;

type OutlinedReport = Omit<WriteRequest, "role" | "view"> & { readonly view: SummaryView };

/**
 * Writes a long report from notes: first the lead and an outline, then the sections side by side, each from its notes. Returns null if there
 * are no notes, too few model calls are left, or the model plans no section. A section that the model does not write, or of which nothing is
 * supported by a note, consists of its notes.
 */
export async function writeOutlined(request: OutlinedReport, notes: readonly Noted[], effects: Effects): Promise<Draft | null> {
  const { view } = request;
  const most = Math.min(MAX_SECTIONS, budgetOf(view.limits, effects).left.modelCalls - 1);
  if (notes.length === 0 || most < MIN_SECTIONS) return null;
  let sections: readonly PlannedSection[] = [];
  const role = outlineRole(view, notes, most, (planned) => {
    sections = planned;
  });
  const lead = await writeText({ ...request, view: partOf(view, 0), role }, effects);
  if (lead === null || (sections.length === 0 && lead.claims.length > 0)) return null;
  // The sections show themselves while they are written.
  const shown = { type: "component", component: SUMMARY_FORMAT.name, callId: effects.nextId(), try: 1 } as const;
  effects.emit({ ...shown, props: { answer: answerOf(lead, view) }, partial: true });
  const written = await Promise.all(sections.map((_, at) => writeSection(sections, at, notes, request, effects)));
  const draft = written.reduce(appendDraft, lead);
  const props = { answer: answerOf(draft, view), answers: draft.answers ?? null, missing: [...(draft.missing ?? [])] };
  effects.emit({ ...shown, props, partial: false });
  return draft;
}

/** The view of who writes one of `sections` sections, or the lead. */
function partOf(view: SummaryView, sections: number): SummaryView {
  return { ...view, systemContext: view.contextOfPart?.(sections) ?? view.systemContext };
}

async function writeSection(
  sections: readonly PlannedSection[],
  at: number,
  notes: readonly Noted[],
  request: OutlinedReport,
  effects: Effects,
): Promise<Draft> {
  const since = effects.now();
  const { view, models } = request;
  const { heading = "", notes: ids = [] } = sections[at] ?? {};
  const own = notes.filter(({ evidence }) => ids.includes(evidence.id));
  const listed = sectionOfNotes(heading, own, view);
  try {
    const part = partOf(view, sections.length);
    const written = await writeText({ ...request, view: part, role: sectionRole(sections, at, own) }, effects);
    if (written === null || listed.claims.length === 0 || written.claims.some(isChecked)) return written ?? listed;
    throw new DossierError("model_output", "No sentence of the model's section has a citation that holds.");
  } catch (thrown) {
    const { entry } = modelFailure(thrown, { models, role: "section", since, failed: { target: "section" } }, effects);
    return { ...listed, ledger: [entry] };
  }
}

/** The notes themselves, as a list under the heading of their section. The figures of the heading must stand in them, as in any section. */
export function sectionOfNotes(
  text: string,
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
  const evidence = packEvidence(new Map(places.map((place) => [place.id, place])));
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

function answerOf({ blocks = [], claims }: Draft, view: SummaryView): string {
  return blocksToMarkdown(blocks, claims, isChinese(view) ? "zh" : "en")
    .join("")
    .trim();
}
