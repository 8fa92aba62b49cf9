import type { Accepted } from "../../../../src/domain/accepted.ts";
import type { Attachments } from "./attachments.ts";

/** The request and what divides its parts count towards the limit of all files, too. */
const REST_BYTES = 100_000;

/** Something that was given but will not be sent, and why. */
export type LeftOut = { readonly name: string; readonly given: File | string } & (
  | { readonly why: "unknownType" | "emptyFile" | "tooManyFiles" | "tooManyUrls" }
  | { readonly why: "largeFile" | "largeTogether"; readonly maxBytes: number }
  | { readonly why: "refused"; readonly code: string }
);

export interface Judged extends Attachments {
  readonly leftOut: readonly LeftOut[];
}

/** The server's refusals, by the file, with their codes. */
export type Refusals = ReadonlyMap<File, string>;

/** Tells what can be sent from what cannot, by what the server takes. What the bytes of a file are, it says itself. @param accepted null if it is not known */
export function judgeAttachments({ files, urls }: Attachments, accepted: Accepted | null, refusals: Refusals): Judged {
  const leftOut: LeftOut[] = [];
  const sent: File[] = [];
  let bytes = REST_BYTES;
  for (const file of files) {
    const code = refusals.get(file);
    const fault =
      code === undefined ? accepted && faultOf(file, { sent: sent.length, bytes }, accepted) : { why: "refused" as const, code };
    if (fault !== null) leftOut.push({ name: file.name, given: file, ...fault });
    else {
      sent.push(file);
      bytes += file.size;
    }
  }
  const maxUrls = accepted?.urls ?? urls.length;
  leftOut.push(...urls.slice(maxUrls).map((url) => ({ name: url, given: url, why: "tooManyUrls" as const })));
  return { files: sent, urls: urls.slice(0, maxUrls), leftOut };
}

interface Before {
  readonly sent: number;
  readonly bytes: number;
}

function faultOf({ name, type, size }: File, before: Before, { documents: { count, totalBytes, types } }: Accepted) {
  if (size === 0) return { why: "emptyFile" } as const;
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const mediaType = type.toLowerCase().split(";")[0]?.trim() ?? "";
  const known = types.find(({ endings }) => endings.includes(ending)) ?? types.find(({ mediaTypes }) => mediaTypes.includes(mediaType));
  if (known === undefined) return { why: "unknownType" } as const;
  if (size > known.maxBytes) return { why: "largeFile", maxBytes: known.maxBytes } as const;
  if (before.sent >= count) return { why: "tooManyFiles" } as const;
  return before.bytes + size > totalBytes ? ({ why: "largeTogether", maxBytes: totalBytes } as const) : null;
}
