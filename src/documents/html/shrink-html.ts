const KEPT_ATTRIBUTES =
  /^(?:alt|alttext|aria-controls|aria-hidden|charset|class|close|colspan|content|datetime|encoding|hidden|href|http-equiv|id|itemprop|lang|linethickness|name|open|property|pubdate|rel|role|rowspan|separators|type|xml:lang)$/;
/** Elements removed with their content. `ix:header` contains the definitions of inline XBRL. */
const DROPPED = /^(?:script|style|svg|noscript|ix:header)$/;
/** Metadata, and the formulas of MathJax 2. */
const DATA = /^(?:application\/ld\+json$|math\/tex(?![^;]))[^"]*$/;
const PLAIN = /^(?:span|font)$/;
const HIDING_STYLE = /display\s*:\s*none/i;
/** In UTF-16 code units. Longer attribute values matter only in `<meta>`. */
const MAX_VALUE_LENGTH = 500;
const PIECES_PER_CHUNK = 10_000;

const TAG_NAME = /[a-z][^\s/>]*/iy;
const ATTRIBUTE_NAME = /[^\s/>][^\s/>=]*/y;
const EQUALS = /\s*=\s*/y;
const BARE_VALUE = /[^\s>]*/y;
const BETWEEN = /[\s/]+/y;

interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** A page without the markup that the extraction ignores; keeps JSON-LD, text and entities. Takes linear time. */
export function shrinkHtml(html: string): string {
  return new Shrinker(html).shrink();
}

class Shrinker {
  private readonly html: string;
  private at = 0;
  private readonly chunks: string[] = [];
  private pieces: string[] = [];
  /** By name, for each open element of `PLAIN`, whether its start tag was removed. */
  private readonly plain = new Map<string, boolean[]>();
  /** Names of elements without a further end tag, so that each is searched once. */
  private readonly unclosed = new Set<string>();

  constructor(html: string) {
    this.html = html;
  }

  shrink(): string {
    while (this.at < this.html.length) {
      const open = this.html.indexOf("<", this.at);
      const end = open === -1 ? this.html.length : open;
      this.keep(this.at, end);
      this.at = end;
      if (open !== -1) this.passMark();
    }
    return this.chunks.join("") + this.pieces.join("");
  }

  private keep(from: number, to: number): void {
    if (to > from) this.write(this.html.slice(from, to));
  }

  private write(piece: string): void {
    this.pieces.push(piece);
    if (this.pieces.length < PIECES_PER_CHUNK) return;
    this.chunks.push(this.pieces.join(""));
    this.pieces = [];
  }

  private passMark(): void {
    const from = this.at;
    if (this.html.startsWith("<!--", from)) this.at = this.after("-->", from + 2);
    else if (this.html[from + 1] === "!" || this.html[from + 1] === "?") {
      this.at = this.after(">", from);
      this.keep(from, this.at);
    } else if (this.html[from + 1] === "/") this.passEnd();
    else this.passStart();
  }

  private passEnd(): void {
    const from = this.at;
    const name = this.match(TAG_NAME, from + 2)?.toLowerCase() ?? "";
    this.at = this.after(">", from);
    if (!name.includes(":") && this.plain.get(name)?.pop() !== true) this.keep(from, this.at);
  }

  private passStart(): void {
    const written = this.match(TAG_NAME, this.at + 1);
    if (written === null) {
      this.write("<");
      this.at++;
      return;
    }
    const name = written.toLowerCase();
    this.at += 1 + written.length;
    const attributes = this.attributes();
    if (attributes === null) return;
    const type = attributes.find((attribute) => attribute.name === "type")?.value.toLowerCase();
    if (name === "script" && DATA.test(type ?? "")) return this.keepData(type);
    if (DROPPED.test(name)) return this.passContent(name);
    const kept = attributes.flatMap((attribute) => keptOf(attribute, name));
    const removed = name.includes(":") || (PLAIN.test(name) && kept.length === 0);
    if (PLAIN.test(name))
      this.plain
        .set(name, this.plain.get(name) ?? [])
        .get(name)
        ?.push(removed);
    if (!removed) this.write(`<${[name, ...kept].join(" ")}${this.html[this.at - 2] === "/" ? "/" : ""}>`);
  }

  /** Reads the attributes of the open tag and its end; null if the tag never ends. */
  private attributes(): Attribute[] | null {
    const found: Attribute[] = [];
    while (this.at < this.html.length) {
      this.at += this.match(BETWEEN, this.at)?.length ?? 0;
      if (this.html[this.at] === ">") {
        this.at++;
        return found;
      }
      const name = this.match(ATTRIBUTE_NAME, this.at) ?? "";
      this.at += name.length;
      const equals = this.match(EQUALS, this.at);
      this.at += equals?.length ?? 0;
      found.push({ name: name.toLowerCase(), value: equals === null ? "" : this.value() });
    }
    return null;
  }

  private value(): string {
    const quote = this.html[this.at];
    const from = this.at;
    if (quote !== '"' && quote !== "'") {
      const bare = this.match(BARE_VALUE, from) ?? "";
      this.at += bare.length;
      return bare;
    }
    this.at = this.after(quote, from + 1);
    return this.html.slice(from + 1, this.at - 1);
  }

  private keepData(type = ""): void {
    const from = this.at;
    this.passContent("script");
    this.write(`<script type="${type}">`);
    this.keep(from, this.at);
  }

  private passContent(name: string): void {
    if (this.unclosed.has(name)) return;
    const end = new RegExp(`</${name}\\s*>`, "gi");
    end.lastIndex = this.at;
    if (end.test(this.html)) this.at = end.lastIndex;
    else this.unclosed.add(name);
  }

  private after(end: string, from: number): number {
    const found = this.html.indexOf(end, from);
    return found === -1 ? this.html.length : found + end.length;
  }

  private match(pattern: RegExp, at: number): string | null {
    pattern.lastIndex = at;
    return pattern.exec(this.html)?.[0] ?? null;
  }
}

function keptOf({ name, value }: Attribute, element: string): string[] {
  if (name === "style") return HIDING_STYLE.test(value.slice(0, MAX_VALUE_LENGTH)) ? ["hidden"] : [];
  if (!KEPT_ATTRIBUTES.test(name)) return [];
  const short = element === "meta" ? value : value.slice(0, MAX_VALUE_LENGTH);
  return [`${name}="${short.replaceAll('"', "&quot;")}"`];
}
