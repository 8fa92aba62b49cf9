export interface PlannedSection {
  readonly heading: string;
  /** The ids of its notes. */
  readonly notes: readonly string[];
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
    if (heading !== undefined) sections.push({ heading: plain(heading), notes: new Set() });
    else if (sections.length === 0) lead.push(line);
    else for (const id of idsIn(NOTES.exec(line)?.[1] ?? "")) sections.at(-1)?.notes.add(id);
  }
  const planned = sections.filter(({ heading, notes }) => heading !== "" && notes.size > 0).slice(0, most);
  return { lead: lead.join("\n").trim(), sections: planned.map(({ heading, notes }) => ({ heading, notes: [...notes] })) };
}

function plain(heading: string): string {
  return heading
    .replaceAll(/[*_`#]+/g, "")
    .trim()
    .slice(0, MAX_HEADING)
    .toWellFormed();
}

function idsIn(list: string): string[] {
  return [...list.matchAll(ID)].flatMap(([, from, to]) => {
    const first = Number(from);
    const last = Math.min(Number(to ?? from), first + MAX_RANGE);
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => `P${first + at}`);
  });
}
