/** Whether an `If-None-Match` (RFC 9110) is met by what has this entity tag, given without its quotes. */
export function namesTag(header: string | undefined, tag: string): boolean {
  const tags = (header ?? "").split(",").map((member) => member.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(`"${tag}"`);
}
