import type { Note, ReportForm } from "./report-form.ts";

type Noted = Pick<ReportForm, "sections" | "notes">;

/**
 * Whether the notes are numbered from 1 in the order in which the text first refers to them. Formats whose readers number footnotes by
 * themselves show other numbers where they are not.
 */
export function isInOrder(form: Noted): boolean {
  return [...referred(form)].every((number, index) => number === index + 1);
}

/** The notes that no sentence refers to. */
export function unreferred(form: Noted): readonly Note[] {
  const numbers = referred(form);
  return form.notes.filter(({ number }) => !numbers.has(number));
}

/** The numbers of the notes that sentences refer to, in the order of the text. */
function referred({ sections, notes }: Noted): ReadonlySet<number> {
  const known = new Set(notes.map(({ number }) => number));
  const numbers = sections.flatMap(({ sentences }) => sentences.flatMap(({ marks }) => marks.map(({ number }) => number)));
  return new Set(numbers.filter((number) => known.has(number)));
}
