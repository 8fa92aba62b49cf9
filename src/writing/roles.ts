import type { NotesView, SummaryView, WritingView } from "../domain/ports/analyst.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import { fence } from "../evidence/data-fence.ts";
import { missingInDocuments, missingOfTodos } from "./missing-lines.ts";
import { LINKS_TOKENS, type OfferedLink, offerLinks, showLinks, takeNamedSources } from "./named-sources.ts";
import { fitNotes, formatNoted, type Noted, showNotes, shownNotes } from "./notes.ts";
import { type PlannedSection, readOutline } from "./outline-text.ts";
import { selectPassages, showPassages } from "./passages.ts";
import { createSummaryDisplay } from "./summary-display.ts";
import { formatFound, sizeOfFound } from "./summary-todos.ts";
import { type TextRole, textRole } from "./text-role.ts";
import { SUMMARY, SUMMARY_FORMAT } from "./written-text.ts";

export const WRITER = { model: "writer", stage: "summarize" } as const;
export const READER = { model: "reader", stage: "summarize" } as const;

/** Writes the report of the executor. */
export function createWriterRole(view: WritingView, prompts: RenderPrompt): TextRole {
  return textRole(view, prompts, {
    role: WRITER.model,
    node: WRITER.stage,
    choose: (tokens, effects) => selectPassages(view, tokens, effects),
    message: "writer-passages",
    values: (shown) => ({ passages: showPassages(shown, view.readings) }),
    missingIn: (lines, known, effects) => missingInDocuments(lines, known, view, effects),
  });
}

/** Takes notes from documents, and names the sources of these that should be read next. */
export function createReaderRole(view: NotesView, prompts: RenderPrompt, purpose: TextRole["purpose"]): TextRole {
  let offered: readonly OfferedLink[] = [];
  return textRole(view, prompts, {
    role: READER.model,
    node: READER.stage,
    purpose,
    mayCorrect: false,
    otherTokens: view.follows === undefined ? 0 : LINKS_TOKENS,
    choose: (tokens, effects) => selectPassages(view, tokens, effects),
    message: "reader-passages",
    values: (shown) => {
      offered = offerLinks(shown, view);
      return { passages: showPassages(shown, view.readings), links: showLinks(offered) };
    },
    // Notes are no text for a reader: `notes-taken` tells how many there are.
    openDisplay: () => null,
    textIn: (written) => takeNamedSources(written, offered),
  });
}

/** Writes the answer to all todos: a component whose `answer` cites passages or, with notes, the words that the first of them quote. */
export function createSummaryRole(view: SummaryView, notes: readonly Noted[], prompts: RenderPrompt): TextRole {
  const { readings, executed } = view;
  const cited = executed.flatMap(({ findings }) => findings.citations);
  const { choose } = fromNotes(notes);
  return textRole(view, prompts, {
    role: SUMMARY.model,
    node: SUMMARY.stage,
    schema: { name: SUMMARY_FORMAT.name, schema: SUMMARY_FORMAT.wire },
    places: { form: SUMMARY_FORMAT.sketch },
    choose: notes.length > 0 ? choose : (tokens, effects) => selectPassages(view, tokens, effects, cited),
    otherTokens: sizeOfFound(executed),
    message: "summary-passages",
    values: (shown) => {
      if (notes.length === 0) return { passages: showPassages(shown, readings), todos: formatFound(executed, shown) };
      const chosen = shownNotes(notes, shown);
      return { passages: showNotes(chosen), todos: formatNoted(view, chosen) };
    },
    openDisplay: createSummaryDisplay,
    missingIn: async (lines) => missingOfTodos(lines, view),
  });
}

interface OutlineRole extends TextRole {
  /** The sections that the model planned; empty before it answered. */
  sections(): readonly PlannedSection[];
}

/** Writes the lead of a report and plans at most `most` sections. */
export function createOutlineRole(view: SummaryView, notes: readonly Noted[], most: number, prompts: RenderPrompt): OutlineRole {
  let sections: readonly PlannedSection[] = [];
  const role = textRole(view, prompts, {
    ...fromNotes(notes),
    role: "outline",
    node: SUMMARY.stage,
    part: { number: 0, heading: null },
    places: { sections: String(most) },
    systemContext: view.fromNotes?.contextOfPart(0) ?? view.systemContext,
    message: "outline-notes",
    values: (shown) => {
      const chosen = shownNotes(notes, shown);
      return { notes: showNotes(chosen), todos: formatNoted(view, chosen) };
    },
    textIn: (written) => {
      const outline = readOutline(written, most);
      if (outline.sections.length > 0) sections = outline.sections;
      return { text: outline.lead };
    },
    missingIn: async (lines) => missingOfTodos(lines, view),
  });
  return { ...role, sections: () => sections };
}

/** Writes one section of an outline, with its heading. */
export function createSectionRole(
  view: SummaryView,
  section: PlannedSection,
  sections: readonly PlannedSection[],
  notes: readonly Noted[],
  prompts: RenderPrompt,
): TextRole {
  const { heading } = section;
  const outline = fence("outline", sections.map((one) => `- ${one.heading}`).join("\n"));
  return textRole(view, prompts, {
    ...fromNotes(notes),
    role: "section",
    node: SUMMARY.stage,
    part: { number: sections.indexOf(section) + 1, heading },
    systemContext: view.fromNotes?.contextOfPart(sections.length) ?? view.systemContext,
    message: "section-notes",
    values: (shown) => ({ notes: showNotes(shownNotes(notes, shown)), outline, heading: fence("heading", heading) }),
    textIn: (written) => {
      const body = withoutHeading(written);
      return { text: body === "" ? "" : `## ${heading}\n\n${body}` };
    },
  });
}

function fromNotes(notes: readonly Noted[]): Pick<TextRole, "choose"> {
  return { choose: async (tokens) => fitNotes(notes, tokens).map(({ evidence }) => evidence) };
}

/** A model may repeat the heading that it was given. */
function withoutHeading(text: string): string {
  return text
    .trim()
    .replace(/^#{1,2}[ \t][^\n]*\n?/, "")
    .trim();
}
