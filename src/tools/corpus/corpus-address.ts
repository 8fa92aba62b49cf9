const SCHEME = "corpus:";

/** The address of a file: `corpus:` and its path below the folder, every segment percent-encoded. */
export function corpusUrl(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

/** The path of a corpus address, or null for any other address. */
export function corpusPath(url: string): string | null {
  if (!url.startsWith(SCHEME)) return null;
  try {
    return url.slice(SCHEME.length).split("/").map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}
