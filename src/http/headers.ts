const MAX_WAIT_SECONDS = 60;

/** The seconds of the first `Prefer: wait` (RFC 7240), at most 60; null without a readable one. */
export function preferredWaitSeconds(header: string | string[] | undefined): number | null {
  for (const preference of splitList(String(header ?? ""))) {
    const match = /^wait\s*=\s*(?:"(\d{1,40})"|(\d{1,40}))\s*(?:;.*)?$/i.exec(preference);
    if (match) return Math.min(Number(match[1] ?? match[2]), MAX_WAIT_SECONDS);
  }
  return null;
}

/** The members of a comma-separated header; commas within quotes do not separate. */
function splitList(header: string): string[] {
  return (header.match(/(?:"(?:\\.|[^"\\])*"|[^,"]|")+/g) ?? []).map((member) => member.trim()).filter((member) => member !== "");
}

/** `Accept` in lower case, without the parameters of its ranges but `q`: this server has one form of each type. */
export function plainAccept(header: string): string {
  return header.replaceAll(/;(?!\s*q=)(?:"[^"]*"|[^",;])*/gi, "").toLowerCase();
}

/** Whether `If-None-Match` (RFC 9110) matches this entity tag, given without quotes. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  const tags = (header ?? "").split(",").map((member) => member.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(`"${tag}"`);
}

const MAX_NAME_CHARACTERS = 60;

/** A `Content-Disposition` (RFC 6266). The file name has only letters and digits of `title`; `fallback` (ASCII) is for old clients. */
export function dispositionOf(type: "inline" | "attachment", title: string, fallback: string, extension: string): string {
  const words =
    title
      .toWellFormed()
      .normalize("NFC")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const short = [...words.join("-")].slice(0, MAX_NAME_CHARACTERS).join("").replace(/-$/, "");
  return `${type}; filename="${fallback}.${extension}"; filename*=UTF-8''${encodeExtended(`${short || fallback}.${extension}`)}`;
}

/** The encoding of RFC 8187, which is stricter than `encodeURIComponent`. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
