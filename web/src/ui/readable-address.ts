/** An address as a reader knows it: the decoded path of a file of the server's folder or of an upload; others decoded. */
export function readableAddress(url: string): string {
  const path = url.replace(/^(?:corpus|upload):(?:\/\/)?/i, "");
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
