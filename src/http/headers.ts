const MAX_WAIT_SECONDS = 60;

/** Returns the seconds of the first valid `Prefer: wait` (RFC 7240), at most 60; null if there is none. */
export function preferredWaitSeconds(header: string | string[] | undefined): number | null {
  for (const preference of splitList(String(header ?? ""))) {
    const match = /^wait\s*=\s*(?:"(\d{1,40})"|(\d{1,40}))\s*(?:;.*)?$/i.exec(preference);
    if (match) return Math.min(Number(match[1] ?? match[2]), MAX_WAIT_SECONDS);
  }
  return null;
}

/** A quote without an end takes the rest, so that nothing is read twice. */
function splitList(header: string): string[] {
  return (header.match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^,"])+/gs) ?? []).map((member) => member.trim()).filter((member) => member !== "");
}

/** Lower-cases an `Accept` header and removes all parameters but `q`, because this server offers each media type without parameters. */
export function plainAccept(header: string): string {
  return header.replaceAll(/;(?!\s*q=)(?:"[^"]*"|[^",;])*/gi, "").toLowerCase();
}

/** Returns whether `If-None-Match` (RFC 9110) matches the entity tag. `tag` has no quotes. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  const tags = (header ?? "").split(",").map((member) => member.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(`"${tag}"`);
}

const MAX_NAME_CHARACTERS = 60;

/** Returns a `Content-Disposition` (RFC 6266) whose file name has the letters and digits of `title`. Old clients use `fallback` (ASCII). */
export function dispositionOf(type: "inline" | "attachment", title: string, fallback: string, extension: string): string {
  const words =
    title
      .toWellFormed()
      .normalize("NFC")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const short = [...words.join("-")].slice(0, MAX_NAME_CHARACTERS).join("").replace(/-$/, "");
  return `${type}; filename="${fallback}.${extension}"; filename*=UTF-8''${encodeExtended(`${short || fallback}.${extension}`)}`;
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
