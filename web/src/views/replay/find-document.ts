import { Problem } from "../../api/problem.ts";
import { eachLine } from "./recording-lines.ts";

/**
 * Returns the text of a document of a recording file. The file is read again for it, so that no text stays in memory. @throws a
 * Problem `not_found` if the file does not have the document
 */
export async function findDocument(file: Blob, contentHash: string, signal: AbortSignal): Promise<string> {
  const found: { text: string | null } = { text: null };
  const mark = JSON.stringify(contentHash);
  const onLine = (line: string): boolean => {
    if (line.startsWith('{"type":"document"') && line.includes(mark)) found.text = textIn(line, contentHash);
    return found.text !== null;
  };
  await eachLine(file, onLine, { signal });
  if (found.text === null) throw new Problem("not_found", 404, "The recording does not have this document.");
  return found.text;
}

function textIn(line: string, contentHash: string): string | null {
  const { document } = JSON.parse(line) as { readonly document?: Partial<Record<string, unknown>> };
  const text = document?.["contentHash"] === contentHash ? document["text"] : null;
  return typeof text === "string" ? text : null;
}
