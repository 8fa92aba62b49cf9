/** Longest time a `Prefer: wait` is honoured for, in seconds; then the client asks again. */
const MAX_WAIT_SECONDS = 60;

/**
 * The seconds a client prefers to wait (RFC 7240), at most 60; null where it has no such preference. What cannot be read is
 * ignored, as the RFC asks; of several the first counts.
 */
export function preferredWaitSeconds(header: string | string[] | undefined): number | null {
  for (const preference of splitList(String(header ?? ""))) {
    const match = /^wait\s*=\s*(?:"(\d{1,40})"|(\d{1,40}))\s*(?:;.*)?$/i.exec(preference);
    if (match) return Math.min(Number(match[1] ?? match[2]), MAX_WAIT_SECONDS);
  }
  return null;
}

/**
 * The media type of `offers` that an `Accept` header likes best (RFC 9110): by quality, then by their order. No header means
 * the first; null means that none is acceptable. `explicitOnly` types are never chosen by a wildcard.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offers: readonly [Type, ...Type[]],
  explicitOnly: readonly Type[] = [],
): Type | null {
  if (accept === undefined || accept.trim() === "") return offers[0];
  const ranges = splitList(accept).map(parseRange);
  const qualities = offers.map((offer) => qualityOf(offer, ranges, !explicitOnly.includes(offer)));
  const best = Math.max(...qualities);
  return best > 0 ? (offers[qualities.indexOf(best)] ?? null) : null;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.toLowerCase().split(";");
  const given = parameters
    .map((parameter) => /^\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  return { type: type.trim(), quality: Math.min(given === undefined ? 1 : Number(given), 1) };
}

/** The quality of the most specific range that covers `type`; 0 where none does. */
function qualityOf(type: string, ranges: readonly MediaRange[], byWildcard: boolean): number {
  const names = byWildcard ? [type, `${type.split("/")[0]}/*`, "*/*"] : [type];
  for (const name of names) {
    const range = ranges.find((candidate) => candidate.type === name);
    if (range) return range.quality;
  }
  return 0;
}

/** The members of a comma-separated header; commas within quotes divide nothing. */
function splitList(header: string): string[] {
  return (header.match(/(?:"(?:\\.|[^"\\])*"|[^,"]|")+/g) ?? []).map((member) => member.trim()).filter((member) => member !== "");
}

/** Whether an `If-None-Match` (RFC 9110) is met by what has this entity tag, given without its quotes. */
export function namesTag(header: string | undefined, tag: string): boolean {
  const tags = (header ?? "").split(",").map((member) => member.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(`"${tag}"`);
}

const MAX_NAME_CHARACTERS = 60;

/**
 * A `Content-Disposition` (RFC 6266) that names a file after `title`, whatever that holds: in UTF-8 (RFC 8187), and for clients that cannot
 * read it as `fallback`, which must be ASCII without quotes. No path, no control character and no leading dot comes of it.
 */
export function dispositionOf(kind: "inline" | "attachment", title: string, fallback: string, extension: string): string {
  const words =
    title
      .toWellFormed()
      .normalize("NFC")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const name =
    [...words.join("-")]
      .slice(0, MAX_NAME_CHARACTERS)
      .join("")
      .replace(/^-+|-+$/g, "") || fallback;
  return `${kind}; filename="${fallback}.${extension}"; filename*=UTF-8''${encode(`${name}.${extension}`)}`;
}

/** What `encodeURIComponent` leaves and the grammar of RFC 8187 does not allow is encoded as well. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
