import { plainTitle } from "./plain-title.ts";

/** An upload has the digest of its text before its name. */
const LOCAL = /^(?:corpus:(?:\/\/)?|upload:(?:\/\/)?(?:[0-9a-f]{64}\/)?)/i;

/** An address as a reader knows it: the decoded path of a file of the server's folder or of an upload; of others, what stays an address when decoded. */
export function readableAddress(url: string): string {
  const isLocal = LOCAL.test(url);
  const path = url.replace(LOCAL, "");
  try {
    return plainTitle(isLocal ? decodeURIComponent(path) : decodeURI(path));
  } catch {
    return plainTitle(path);
  }
}
