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

/** The limit of the server for one request, in bytes, less what its other parts take. */
export const MAX_BYTES = 58_000_000;

/** What was not attached, each with the reason. */
export type Refused = { readonly name: string; readonly why: "emptyFile" | "largeFile" | "oneTooMany" };

/** Adds what the server can take. What the bytes of a file are, it says itself. */
export function attach(before: Attachments, added: Partial<Attachments>): Attachments & { readonly refused: readonly Refused[] } {
  const files = [...before.files];
  const urls = [...before.urls];
  const refused: Refused[] = [];
  const isFull = (): boolean => files.length + urls.length >= MAX_ATTACHMENTS;
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const file of added.files ?? []) {
    const why = file.size === 0 ? "emptyFile" : isFull() ? "oneTooMany" : bytes + file.size > MAX_BYTES ? "largeFile" : null;
    if (why !== null) refused.push({ name: file.name, why });
    else {
      files.push(file);
      bytes += file.size;
    }
  }
  for (const url of added.urls ?? []) {
    if (urls.includes(url)) continue;
    if (isFull()) refused.push({ name: url, why: "oneTooMany" });
    else urls.push(url);
  }
  return { files, urls, refused };
}

export function isEmpty({ files, urls }: Attachments): boolean {
  return files.length === 0 && urls.length === 0;
}
