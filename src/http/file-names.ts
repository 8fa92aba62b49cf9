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
