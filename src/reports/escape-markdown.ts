/** What stands for an address that was taken out, where nothing behind it makes a link of it. */
const ESCAPED_REMOVAL = /\\\[address removed\\\](?![(:]|\\\[)/g;

/**
 * A stretch of foreign text as one line of Markdown that reads as that text: what could start markup or HTML is escaped
 * (CommonMark 0.31, backslash escapes and entities), what is harmless inside words stays readable.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\\`*[\]|~]/g, "\\$&")
    .replace(ESCAPED_REMOVAL, "[address removed]")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#|[a-z\d]+;)/gi, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/^([#>+=-])/, "\\$1")
    .replace(/^(\d{1,9})([.)])/, "$1\\$2");
}
