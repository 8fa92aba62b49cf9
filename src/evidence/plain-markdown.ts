import { withoutGone } from "./struck-out.ts";

/**
 * A sentence of Markdown as a line of plain text: links and images as their words without targets, no emphasis, code marks, HTML
 * tags (raised digits stay raised), bullets, heading marks and outer bars of table rows.
 */
export function plainMarkdown(text: string): string {
  return withoutGone(text)
    .replaceAll(/!?\[([^[\]]{0,500})\](?:\([^()]{0,2000}(?:\([^()]{0,500}\)[^()]{0,500})?\)|\[[^[\]]{0,500}\])/g, "$1")
    .replaceAll(/<sup>(\d{1,20})<\/sup>/gi, (_, raised: string) => raised.replaceAll(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit))))
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,2000}>/g, "")
    .replaceAll(/(\*{1,3}|_{2,3}|~~|`{1,2})(?=\S)([^*_~`\n]{1,2000}?)(?<=\S)\1/g, "$2")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^(?:#{1,6}\s+|>\s*|[-*+•]\s+)+/, "")
    .replace(/\s#+$/, "")
    .replace(/^\|\s*/, "")
    .replace(/[\s|]*\|$/, "")
    .replaceAll(/\*{2,}/g, "")
    .trim();
}
