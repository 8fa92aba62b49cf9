import { type Block, CELL_SEPARATOR, isStruck, type ListItem } from "../domain/blocks.ts";
import { type DraftClaim, fenced } from "../domain/report.ts";

const WORDS = {
  en: { unverified: "(not verified)", struck: "What stood here was taken out." },
  zh: { unverified: "（未核实）", struck: "此处原有内容已删去。" },
} as const;

/**
 * Returns each block as Markdown that ends with an empty line. Sentences carry their citation numbers; sentences, headings and tables carry a
 * mark if they are unverified, and code always does.
 */
export function blocksToMarkdown(blocks: readonly Block[], claims: readonly DraftClaim[], language: "en" | "zh"): string[] {
  const mark = WORDS[language].unverified;
  const sentence = (index: number): string => {
    const claim = claims[index];
    return claim === undefined ? "" : withMarks(claim.text, claim, mark);
  };
  const row = (index: number): string => {
    const claim = claims[index];
    if (claim === undefined) return "";
    const cells = claim.text.split(CELL_SEPARATOR).map(escapeCell);
    return `| ${[...cells.slice(0, -1), withMarks(cells.at(-1) ?? "", claim, mark)].join(" | ")} |`;
  };
  const toText = (block: Block): string => {
    if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}${block.support === "unverified" ? ` ${mark}` : ""}`;
    if (block.kind === "code") return `${fenced(block.text, block.language)}\n\n${mark}`;
    if (isStruck(block)) return WORDS[language].struck;
    if (block.kind === "paragraph") return block.sentences.map(sentence).join(" ");
    if (block.kind === "table")
      return [...headRows(block.head), ...block.rows.map(row), ...(block.support === "unverified" ? ["", mark] : [])].join("\n");
    return items(block.items, sentence, block.kind === "list" ? null : block.start);
  };
  return blocks.map((block) => `${toText(block)}\n\n`);
}

function withMarks(text: string, claim: DraftClaim, mark: string): string {
  const numbers = claim.citations.toSorted((a, b) => a - b).map((id) => `[${id}]`);
  return [text, numbers.join(""), claim.support === "unverified" ? mark : ""].filter((part) => part !== "").join(" ");
}

const INDENT = "   ";

/** Numbers the outermost items from `start`. Items of inner lists have their own numbers. */
function items(all: readonly ListItem[], sentence: (index: number) => string, start: number | null): string {
  let next = start;
  const lines = all.map(({ level, number = null, sentences }) => {
    const own = level > 0 || next === null ? number : next++;
    return `${INDENT.repeat(level)}${own === null ? "-" : `${own}.`} ${sentences.map(sentence).join(" ")}`;
  });
  return lines.join("\n");
}

function headRows(head: readonly string[]): string[] {
  return head.length === 0 ? [] : [`| ${head.map(escapeCell).join(" | ")} |`, `| ${head.map(() => "---").join(" | ")} |`];
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
