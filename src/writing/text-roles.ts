import type { CallPurpose } from "../domain/budget.ts";
import type { Executed, NotesView, SummaryView, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { ModelRole } from "../domain/roles.ts";
import { fence } from "../evidence/data-fence.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { LINKS_TOKENS, type OfferedLink, offerLinks, showLinks, takeNamedSources } from "./named-sources.ts";
import { fitNotes, formatTodos, type Noted, showNotes } from "./notes.ts";
import { selectPassages, showPassages } from "./passages.ts";
import { short } from "./prompt-text.ts";
import type { WrittenText } from "./read-text.ts";

/** The node of every graph that writes. */
export const WRITING_NODE = "summarize";

/** What of a report with an outline a text is: 0 is the lead, then come the sections in order, each below its heading. */
export interface ReportPart {
  readonly number: number;
  readonly heading: string | null;
}

/** A role of a model that writes cited sentences from passages, or from the places that notes quote. */
export interface TextRole {
  /** Also the name of its template. */
  readonly name: ModelRole;
  /** What a call of this role may use of the budget: by default, what is kept for writing. */
  readonly purpose?: CallPurpose;
  /** Whether the model answers with the component of a summary. */
  readonly isComponent?: true;
  /** Notes are not shown while they are written, and not corrected. */
  readonly isNotes?: true;
  /** What of a report the text is, if it is not the whole. */
  readonly part?: ReportPart;
  /** What the template of the role has in its places, in addition to what each has. */
  readonly places?: Readonly<Record<string, string>>;
  /** The template of the message with the passages, and what it has in its places. */
  readonly message: string;
  values(passages: readonly Evidence[]): Readonly<Record<string, string>>;
  /** Chooses what to show, in the order in which it is shown, of at most `tokens` tokens. */
  choose(tokens: number, effects: Effects): Promise<readonly Evidence[]>;
  /** Returns the text that counts as a report, of what was written. */
  readonly textIn?: (written: string) => Pick<WrittenText, "text" | "named">;
  /** The todos that the text is to answer. */
  readonly todos?: readonly Executed[];
}

const fromPassages = (view: WritingView): Pick<TextRole, "choose" | "values"> => ({
  choose: (tokens, effects) => selectPassages(view, tokens, effects),
  values: (shown) => ({ passages: showPassages(shown, view.readings) }),
});

/** Writes the report of the executor. */
export function writerRole(view: WritingView): TextRole {
  return { name: "writer", message: "writer-passages", ...fromPassages(view) };
}

/** Takes notes from documents, and names the sources of these that should be read next. */
export function readerRole(view: NotesView): TextRole {
  let offered: readonly OfferedLink[] = [];
  const { choose, values } = fromPassages(view);
  return {
    ...{ name: "reader", isNotes: true, message: "reader-passages" },
    choose: (tokens, effects) => choose(Math.max(0, tokens - (view.follows === undefined ? 0 : LINKS_TOKENS)), effects),
    // One call is kept for the documents that are not read alone.
    ...(view.each && { purpose: "gather" }),
    values(shown) {
      offered = offerLinks(shown, view);
      return { ...values(shown), links: showLinks(offered) };
    },
    textIn: (written) => takeNamedSources(written, offered),
  };
}

const fromNotes = (notes: readonly Noted[]): Pick<TextRole, "choose"> => ({
  choose: async (tokens) => fitNotes(notes, tokens).map(({ evidence }) => evidence),
});

/** Writes the answer to all todos from their notes: a component with a cited text. Without notes, it cites passages. */
export function summaryRole(view: SummaryView, notes: readonly Noted[], form: string): TextRole {
  const { executed: todos, readings } = view;
  return {
    ...{ name: "summary", isComponent: true, message: "summary-passages", places: { form }, todos },
    ...fromNotes(notes),
    ...(notes.length === 0 && fromPassages(view)),
    values: (shown) => ({
      passages: notes.length === 0 ? showPassages(shown, readings) : showNotes(notes, shown),
      todos: formatTodos(todos, notes, shown),
    }),
  };
}

/** A section of an outline, and the ids of its notes. */
export interface PlannedSection {
  readonly heading: string;
  readonly notes: readonly string[];
}

/** Writes the lead of a report and plans at most `most` sections, which `plan` is told. */
export function outlineRole(
  view: SummaryView,
  notes: readonly Noted[],
  most: number,
  plan: (sections: PlannedSection[]) => void,
): TextRole {
  const { executed: todos } = view;
  return {
    ...{ name: "outline", message: "outline-notes", places: { sections: String(most) }, todos, part: { number: 0, heading: null } },
    ...fromNotes(notes),
    values: (shown) => ({ notes: showNotes(notes, shown), todos: formatTodos(todos, notes, shown) }),
    textIn(written) {
      const { lead, sections } = readOutline(written, most);
      if (sections.length > 0) plan(sections);
      return { text: lead };
    },
  };
}

/** Writes the section `at` of an outline, with its heading. */
export function sectionRole(sections: readonly PlannedSection[], at: number, notes: readonly Noted[]): TextRole {
  const heading = sections[at]?.heading ?? "";
  const outline = fence("outline", sections.map((one) => `- ${one.heading}`).join("\n"));
  return {
    ...{ name: "section", message: "section-notes", part: { number: at + 1, heading } },
    ...fromNotes(notes),
    values: (shown) => ({ notes: showNotes(notes, shown), outline, heading: fence("heading", heading) }),
    textIn(written) {
      // A model may repeat the heading that it was given.
      const body = written
        .trim()
        .replace(/^#{1,2}[ \t][^\n]*\n?/, "")
        .trim();
      return { text: body === "" ? "" : `## ${heading}\n\n${body}` };
    },
  };
}

const HEADING = /^#{1,6}[ \t]+(.+)$/;
const NOTES = /^[>*_\s-]{0,10}NOTES[*_]{0,4}[ \t]*[:：](.*)$/i;
const ID = /P(\d{1,4})(?:\s*[-–—]\s*P?(\d{1,4}))?/gi;
/** In UTF-16 code units. */
const MAX_HEADING = 200;
const MAX_RANGE = 100;

/** Reads a lead, and below it headings that each have a line `NOTES: P1, P4-P7`. A heading without notes is dropped. */
export function readOutline(text: string, most: number) {
  const lead: string[] = [];
  const sections: { heading: string; notes: Set<string> }[] = [];
  for (const line of text.split("\n")) {
    const heading = HEADING.exec(line.trim())?.[1];
    if (heading !== undefined) sections.push({ heading: short(heading.replaceAll(/[*_`#]+/g, ""), MAX_HEADING), notes: new Set() });
    else if (sections.length === 0) lead.push(line);
    else for (const id of idsIn(NOTES.exec(line)?.[1] ?? "")) sections.at(-1)?.notes.add(id);
  }
  const planned = sections.filter(({ heading, notes }) => heading !== "" && notes.size > 0).slice(0, most);
  return { lead: lead.join("\n").trim(), sections: planned.map(({ heading, notes }) => ({ heading, notes: [...notes] })) };
}

function idsIn(list: string): string[] {
  return [...list.matchAll(ID)].flatMap(([, from, to]) => {
    const first = Number(from);
    const last = Math.min(Number(to ?? from), first + MAX_RANGE);
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => `P${first + at}`);
  });
}
