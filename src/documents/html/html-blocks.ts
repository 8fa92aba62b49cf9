import { type BlockDraft, cleanCode, collapse } from "../block-text.ts";
import { type DraftLink, MAX_LINK_TEXT, MAX_LINKS } from "../links.ts";
import { attributeOf, type DomNode, isElement, isText, walk } from "./dom.ts";
import { type Cell, isDataTable, MAX_ADDED_BY_SPANS, TableSpans } from "./tables.ts";

const SKIPPED =
  /^(?:script|style|noscript|template|svg|iframe|object|embed|canvas|audio|video|nav|head|title|meta|link|select|button|input|textarea|datalist|dialog)$/;
const BLOCK_NAMES =
  "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul";
export const BLOCKS: ReadonlySet<string> = new Set(BLOCK_NAMES.split(" "));
const ROW_GROUP = /^(?:thead|tbody|tfoot)$/;
const LISTS = new Set(["ul", "ol", "dl", "menu"]);
/** Marks a line break inside a table cell. */
const LINE_BREAK = "\u2028";

/** Menus and lists that are removed later may stand before the article. */
const MAX_COLLECTED_LINKS = 10 * MAX_LINKS;

type Context = Pick<BlockDraft, "kind" | "level">;

export interface HtmlBlock extends BlockDraft {
  /** The share of characters in links, from 0 to 1. */
  readonly linked: number;
}

export function htmlBlocks(root: DomNode): HtmlBlock[] {
  const collector = new BlockCollector();
  walk(root, collector.enter.bind(collector), collector.leave.bind(collector));
  collector.flush();
  return collector.drafts;
}

class BlockCollector {
  readonly drafts: HtmlBlock[] = [];
  private buffer = "";
  private afterBreak = false;
  private hasText = false;
  private listDepth = 0;
  private linkDepth = 0;
  private readonly links: DraftLink[] = [];
  private openLink: { href: string; text: string } | null = null;
  private linksLeft = MAX_COLLECTED_LINKS;
  private readonly lengths = { all: 0, linked: 0 };
  private cells: Cell[] | null = null;
  private nestedTables = 0;
  private readonly spanBudget = { left: MAX_ADDED_BY_SPANS };
  private readonly contexts: { readonly node: DomNode; readonly context: Context }[] = [];
  private readonly dataTables: { readonly node: DomNode; readonly spans: TableSpans; rows: number }[] = [];

  enter(node: DomNode): boolean {
    if (isText(node)) this.addText(node.nodeValue ?? "");
    if (!isElement(node)) return false;
    const name = node.localName ?? "";
    if (SKIPPED.test(name) || isHidden(node)) return false;
    if (isLinkElsewhere(node)) this.enterLink(node);
    if (name === "br") this.breakLine();
    else if (BLOCKS.has(name)) this.enterBlock(node, name);
    return true;
  }

  leave(node: DomNode): void {
    const name = isElement(node) ? (node.localName ?? "") : "";
    if (isLinkElsewhere(node)) this.leaveLink();
    if (!BLOCKS.has(name)) return;
    if (this.nestedTables === 0 && (name === "td" || name === "th")) this.endCell(node);
    else if (this.nestedTables === 0 && name === "tr" && this.cells) this.endRow();
    else if (name === "pre" && this.ownsContext(node)) this.emit({ kind: "code", level: 0, text: cleanCode(this.buffer) });
    else this.flush();
    if (this.ownsContext(node)) this.contexts.pop();
    if (this.dataTables.at(-1)?.node === node) this.dataTables.pop();
    if (ROW_GROUP.test(name) && this.nestedTables === 0) this.dataTables.at(-1)?.spans.endGroup();
    if (LISTS.has(name)) this.listDepth--;
    if (name === "table" && this.nestedTables > 0) this.nestedTables--;
  }

  flush(): void {
    const { kind, level } = this.context();
    if (this.cells) {
      if (this.hasText) this.buffer += LINE_BREAK;
      this.hasText = false;
    } else if (kind === "code" && this.buffer !== "" && !this.buffer.endsWith("\n")) this.buffer += "\n";
    else if (kind !== "code") this.emit({ kind, level, text: collapse(this.buffer) });
  }

  private emit(draft: BlockDraft): void {
    const { all, linked } = this.lengths;
    this.buffer = "";
    this.lengths.all = this.lengths.linked = 0;
    if (draft.text === "") return;
    const links = this.links.splice(0);
    this.drafts.push({ ...draft, linked: all === 0 ? 0 : linked / all, ...(links.length > 0 && { links }) });
  }

  private enterLink(node: DomNode): void {
    this.linkDepth++;
    this.openLink = { href: attributeOf(node, "href"), text: "" };
  }

  private leaveLink(): void {
    this.linkDepth--;
    const text = collapse(this.openLink?.text ?? "");
    if (this.openLink !== null && text !== "" && this.linksLeft-- > 0) this.links.push({ href: this.openLink.href, text });
    this.openLink = null;
  }

  private context(): Context {
    return this.contexts.at(-1)?.context ?? { kind: "paragraph", level: 0 };
  }

  private enterBlock(node: DomNode, name: string): void {
    this.flush();
    if (LISTS.has(name)) this.listDepth++;
    if (name === "table" && this.cells) this.nestedTables++;
    else if (name === "table" && isDataTable(node)) this.dataTables.push({ node, spans: new TableSpans(node, this.spanBudget), rows: 0 });
    if (name === "tr" && this.dataTables.length > 0 && this.nestedTables === 0) this.cells = [];
    const context = this.contextOf(name);
    if (context && !this.cells && this.context().kind !== "code") this.contexts.push({ node, context });
  }

  private contextOf(name: string): Context | null {
    if (/^h[1-6]$/.test(name)) return { kind: "heading", level: Number(name[1]) };
    if (name === "li" || name === "dt" || name === "dd") return { kind: "list-item", level: Math.max(1, this.listDepth) };
    if (name === "blockquote") return { kind: "quote", level: 0 };
    return name === "pre" ? { kind: "code", level: 0 } : null;
  }

  private ownsContext(node: DomNode): boolean {
    return this.contexts.at(-1)?.node === node;
  }

  private addText(text: string): void {
    this.buffer += text;
    const length = text.replaceAll(/\s+/g, "").length;
    this.lengths.all += length;
    if (this.linkDepth > 0) this.lengths.linked += length;
    if (this.openLink !== null && this.openLink.text.length < MAX_LINK_TEXT) this.openLink.text += text;
    if (length === 0) return;
    this.afterBreak = false;
    this.hasText = true;
  }

  private breakLine(): void {
    if (this.context().kind === "code") this.buffer += "\n";
    else if (this.cells || !this.afterBreak) this.buffer += LINE_BREAK;
    else this.flush();
    this.afterBreak = !this.afterBreak;
    this.hasText = false;
  }

  private endCell(node: DomNode): void {
    if (!this.cells) return this.flush();
    this.cells.push({ node, text: cellText(this.buffer) });
    this.buffer = "";
    this.hasText = false;
  }

  private endRow(): void {
    const cells = this.cells ?? [];
    this.cells = null;
    const table = this.dataTables.at(-1);
    const row = table?.spans.row(cells) ?? cells.map(({ text }) => text);
    for (const line of cells.some(({ text }) => text !== "") ? stackedRows(row) : []) {
      const text = line.map(collapse).join(" | ").trim();
      this.emit({ kind: "table-row", level: table?.rows === 0 ? 1 : 0, text });
      if (table !== undefined && text !== "") table.rows += 1;
    }
    this.emit({ kind: "table-row", level: 0, text: "" });
  }
}

function cellText(buffer: string): string {
  const lines = buffer.split(LINE_BREAK).map(collapse);
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1).join(LINE_BREAK);
}

const AMOUNT =
  /^(?:[^\p{L}\d]{0,4}\d[\d.,]*(?:\s\d{3})*(?:\s?[%x×)]|\s?\(\d\)|\^\d+)*|[^\p{L}\d]{0,3}[–—―−-][\s%x×)]{0,3}|n\/?[am]\.?|不适用)$/iu;
const NO_AMOUNT = /^[^\p{L}\d]{0,4}$/u;

/** Splits a `<tr>` that contains several rows, separated by `<br>`. All cells but the first must hold only amounts. */
function stackedRows(row: readonly string[]): string[][] {
  const columns = row.map((text) => text.split(LINE_BREAK));
  const [labels = [], ...stacks] = columns.filter((lines) => lines.some((line) => line !== ""));
  const areAmounts = stacks.every(
    (lines) => lines.length === labels.length && lines.every((line) => AMOUNT.test(line) || NO_AMOUNT.test(line)),
  );
  if (!areAmounts || !stacks.some((lines) => lines.filter((line) => AMOUNT.test(line)).length > 1)) return [[...row]];
  const rows = labels.map((_, i) => columns.map((lines) => lines[i] ?? ""));
  return rows.filter((cells) => cells.some((text) => text !== ""));
}

function isLinkElsewhere(node: DomNode): boolean {
  return node.localName === "a" && /^\s*[^#\s]/.test(attributeOf(node, "href"));
}

export function isHidden(node: DomNode): boolean {
  if (node.getAttribute?.("hidden") != null || attributeOf(node, "aria-hidden") === "true") return true;
  return attributeOf(node, "role") === "navigation" || /display\s*:\s*none/i.test(attributeOf(node, "style"));
}
