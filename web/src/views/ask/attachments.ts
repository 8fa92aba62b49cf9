export interface Attachments {
  readonly files: readonly File[];
  readonly urls: readonly string[];
}

export const NO_ATTACHMENTS: Attachments = { files: [], urls: [] };
export const MAX_ATTACHMENTS = 20;

/** A text is read as addresses only if it consists of nothing else. */
export function addressesIn(text: string): string[] {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  const isAddress = (word: string): boolean => /^https?:\/\//i.test(word) && URL.canParse(word);
  return words.length > 0 && words.length <= MAX_ATTACHMENTS && words.every(isAddress) ? words : [];
}

export function attach(before: Attachments, added: Partial<Attachments>): Attachments {
  const files = [...before.files, ...(added.files ?? [])];
  const urls = [...new Set([...before.urls, ...(added.urls ?? [])])];
  return { files: files.slice(0, MAX_ATTACHMENTS), urls: urls.slice(0, MAX_ATTACHMENTS - Math.min(files.length, MAX_ATTACHMENTS)) };
}

export function isEmpty({ files, urls }: Attachments): boolean {
  return files.length === 0 && urls.length === 0;
}
