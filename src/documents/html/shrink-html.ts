const ATTRIBUTE_NAMES =
  "alt alttext aria-controls aria-hidden charset class close colspan content datetime encoding hidden href http-equiv id itemprop lang linethickness name open property pubdate rel role rowspan type xml:lang";
const KEPT_ATTRIBUTES = new Set(ATTRIBUTE_NAMES.split(" "));
/** These elements are removed with their content. `ix:header` holds definitions of inline XBRL (financial data). */
const DROPPED = /^(?:script|style|svg|noscript|ix:header)$/;
const DATA = /^(?:application\/ld\+json$|math\/tex(?![^;]))[^"]*$/;
const HIDING_STYLE = /display\s*:\s*none|text-decoration[\w\s-]*:[\w\s-]*line-through/i;
const MAX_VALUE_LENGTH = 500;

const TAG_NAME = /[a-z][^\s/>]*/iy;
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>]*)))?/y;

type Attribute = Readonly<Record<"name" | "value", string>>;

/** Removes markup that the extraction ignores, in linear time. */
export function shrinkHtml(html: string): string {
  return new Shrinker(html).shrink();
}

class Shrinker {
  private readonly html: string;
  private at = 0;
  private shrunk = "";
  private isSelfClosing = false;
  /** For each open `<span>` or `<font>`: true if its start tag was removed, so that its end tag is removed too. */
  private readonly plain = new Map<string, boolean[]>(["span", "font"].map((name) => [name, []]));
  /** Names that have no further end tag, so that the page is not searched for them again. */
  private readonly unclosed = new Set<string>();

  constructor(html: string) {
    this.html = html;
  }

  shrink(): string {
    for (let open = this.html.indexOf("<"); open !== -1; open = this.html.indexOf("<", this.at)) {
      this.keep(this.at, open);
      this.at = open;
      this.passMark();
    }
    this.keep(this.at, this.html.length);
    return this.shrunk;
  }

  private keep(from: number, to: number): void {
    this.shrunk += this.html.slice(from, to);
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
    if (written === null) return this.keep(this.at, ++this.at);
    const name = written.toLowerCase();
    this.at += 1 + written.length;
    const attributes = this.attributes();
    if (attributes === null) return;
    const type = attributes.find((attribute) => attribute.name === "type")?.value.toLowerCase();
    if (name === "script" && DATA.test(type ?? "")) return this.keepData(type);
    if (DROPPED.test(name)) return this.passContent(name);
    const kept = attributes.flatMap((attribute) => keptOf(attribute, name));
    const removed = name.includes(":") || (this.plain.has(name) && kept.length === 0);
    this.plain.get(name)?.push(removed);
    if (!removed) this.shrunk += `<${[name, ...kept].join(" ")}${this.isSelfClosing ? "/" : ""}>`;
  }

  private attributes(): Attribute[] | null {
    const found: Attribute[] = [];
    ATTRIBUTE.lastIndex = this.at;
    for (let match = ATTRIBUTE.exec(this.html); match; match = ATTRIBUTE.exec(this.html)) {
      const [, name = "", double, single, bare = ""] = match;
      found.push({ name: name.toLowerCase(), value: double ?? single ?? bare });
      this.at = ATTRIBUTE.lastIndex;
    }
    const end = this.html.indexOf(">", this.at);
    this.isSelfClosing = this.html.slice(this.at, end).includes("/");
    this.at = this.after(">", this.at);
    return end === -1 ? null : found;
  }

  private keepData(type = ""): void {
    const from = this.at;
    this.passContent("script");
    this.shrunk += `<script type="${type}">`;
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
  if (!KEPT_ATTRIBUTES.has(name)) return [];
  const short = element === "meta" ? value : value.slice(0, MAX_VALUE_LENGTH);
  return [`${name}="${short.replaceAll('"', "&quot;")}"`];
}
