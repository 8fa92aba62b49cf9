import type { SummaryView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import { readClosingLines } from "../evidence/closing-lines.ts";
import { fence } from "../evidence/data-fence.ts";
import { languageName } from "../ranking/language.ts";
import type { StreamContext } from "./cited-prose.ts";
import { fitNotes, formatNoted, type Noted, showNotes, shownNotes } from "./notes.ts";
import { type PlannedSection, readOutline } from "./outline-text.ts";
import { SUMMARY } from "./summary-role.ts";
import { createDraftDisplay, TEXT_OF_PASSAGES, type WriterRole } from "./writer-role.ts";

const NODE = SUMMARY.stage;

interface OutlineOptions {
  readonly notes: readonly Noted[];
  /** The most sections. */
  readonly most: number;
  readonly prompts: RenderPrompt;
}

export interface OutlineRole extends WriterRole {
  /** The sections that the model planned; empty before it answered. */
  readonly sections: readonly PlannedSection[];
}

/** Writes the lead. What it plans is in `sections`. */
export function createOutlineRole(view: SummaryView, { notes, most, prompts }: OutlineOptions): OutlineRole {
  const { question, fromNotes, today } = view;
  const systemContext = fromNotes?.contextOfPart(0) ?? view.systemContext;
  let sections: readonly PlannedSection[] = [];
  return {
    ...partOf("outline", notes),
    get sections() {
      return sections;
    },
    system: () => prompts("outline", { language: languageName(view), today, systemContext, sections: String(most) }, view.prompts),
    userMessage: (shown) => {
      const chosen = shownNotes(notes, shown);
      return prompts("messages/outline-notes", { notes: showNotes(chosen), todos: formatNoted(view, chosen), question });
    },
    *read({ content }) {
      const { text, answers, missing } = yield* readClosingLines(content);
      const outline = readOutline(text, most);
      if (outline.sections.length > 0) sections = outline.sections;
      return { text: outline.lead, whole: content, fault: null, answers, missing: [...missing] };
    },
  };
}

interface SectionOptions {
  readonly section: PlannedSection;
  readonly sections: readonly PlannedSection[];
  readonly notes: readonly Noted[];
  readonly prompts: RenderPrompt;
}

/** Writes one section, with its heading. */
export function createSectionRole(view: SummaryView, { section, sections, notes, prompts }: SectionOptions): WriterRole {
  const { question, fromNotes, today } = view;
  const systemContext = fromNotes?.contextOfPart(sections.length) ?? view.systemContext;
  const { heading } = section;
  const outline = sections.map((one) => `- ${one.heading}`).join("\n");
  return {
    ...partOf("section", notes),
    system: () => prompts("section", { language: languageName(view), today, systemContext }, view.prompts),
    userMessage: (shown) =>
      prompts("messages/section-notes", {
        notes: showNotes(shownNotes(notes, shown)),
        question,
        outline: fence("outline", outline),
        heading: fence("heading", heading),
      }),
    *read({ content }) {
      const { text } = yield* readClosingLines(content);
      const body = withoutHeading(text);
      return { text: body === "" ? "" : `## ${heading}\n\n${body}`, whole: content, fault: null, answers: null, missing: [] };
    },
  };
}

function partOf(role: "outline" | "section", notes: readonly Noted[]) {
  return {
    ...TEXT_OF_PASSAGES,
    role,
    node: NODE,
    schema: null,
    choose: async (tokens: number) => fitNotes(notes, tokens).map(({ evidence }) => evidence),
    openDisplay: (context: StreamContext, effects: Effects) => createDraftDisplay(NODE, context, effects),
  };
}

/** A model may repeat the heading that it was given. */
function withoutHeading(text: string): string {
  return text
    .trim()
    .replace(/^#{1,2}[ \t][^\n]*\n?/, "")
    .trim();
}
