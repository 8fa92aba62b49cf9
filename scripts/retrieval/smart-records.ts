/** A document or a query of a collection in the format of the SMART system. */
export interface SmartRecord {
  readonly id: string;
  readonly title: string;
  /** The text without the title, which Cranfield repeats at its beginning. */
  readonly text: string;
}

/** Reads records from a file in which `.I id` starts a record, `.T` its title and `.W` its text. Other fields are ignored. */
export function readSmart(file: string): SmartRecord[] {
  const records: { id: string; title: string[]; text: string[] }[] = [];
  let field = "";
  for (const line of file.split(/\r?\n/)) {
    const mark = /^\.([A-Z])\b\s*(.*)$/.exec(line);
    if (mark) field = mark[1] ?? "";
    if (mark && field === "I") records.push({ id: String(Number(mark[2])), title: [], text: [] });
    if (mark) continue;
    if (field === "T") records.at(-1)?.title.push(line.trim());
    if (field === "W") records.at(-1)?.text.push(line.trim());
  }
  return records.map(({ id, title, text }) => {
    const heading = title.join(" ").trim();
    const body = text.join(" ").trim();
    return { id, title: heading, text: heading !== "" && body.startsWith(heading) ? body.slice(heading.length).trim() : body };
  });
}
