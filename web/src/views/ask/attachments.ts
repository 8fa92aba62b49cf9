/** All that was given, also what cannot be sent. */
export interface Attachments {
  readonly files: readonly File[];
  readonly urls: readonly string[];
}

export const NO_ATTACHMENTS: Attachments = { files: [], urls: [] };
/** A longer text of addresses is a text to be read. */
const MAX_ADDRESSES = 100;

/** A text is read as addresses only if it consists of nothing else. */
export function addressesIn(text: string): string[] {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  const isAddress = (word: string): boolean => /^https?:\/\//i.test(word) && URL.canParse(word);
  return words.length > 0 && words.length <= MAX_ADDRESSES && words.every(isAddress) ? words : [];
}

export function attach(before: Attachments, added: Partial<Attachments>): Attachments {
  return { files: [...before.files, ...(added.files ?? [])], urls: [...new Set([...before.urls, ...(added.urls ?? [])])] };
}

export function detach({ files, urls }: Attachments, given: File | string): Attachments {
  return { files: files.filter((one) => one !== given), urls: urls.filter((one) => one !== given) };
}

export function isEmpty({ files, urls }: Attachments): boolean {
  return files.length === 0 && urls.length === 0;
}
