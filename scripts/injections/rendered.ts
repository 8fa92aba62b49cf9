import { parseHTML } from "linkedom";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Elements that run, load or take over what stands in them, whatever their attributes. */
const RUNS = new Set([
  "SCRIPT",
  "STYLE",
  "IFRAME",
  "OBJECT",
  "EMBED",
  "FORM",
  "BASE",
  "META",
  "LINK",
  "SVG",
  "MATH",
  "TEMPLATE",
  "NOSCRIPT",
]);
/** Tags and attributes that a renderer of Markdown writes itself. */
const INERT = /^(?:class|id|dir|lang|start|align|type|disabled|checked|title|alt|data-footnote[\w-]*|aria-\w+|scope|tabindex|role|value)$/;

interface Shown {
  readonly tagName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
}

/** Returns what a reader can click and what a browser loads or runs of Markdown, as a renderer shows it that takes HTML over. */
export function activeInMarkdown(markdown: string): string[] {
  const options = { allowDangerousHtml: true, allowDangerousProtocol: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  return activeInHtml(micromark(markdown, options));
}

export function activeInHtml(html: string): string[] {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  const elements: readonly Shown[] = Array.from(document.body.querySelectorAll("*"));
  return elements.flatMap((element) => [
    ...(RUNS.has(element.tagName.toUpperCase()) ? [`<${element.tagName.toLowerCase()}>`] : []),
    ...Array.from(element.attributes).flatMap(({ name, value }) => (INERT.test(name) || value.startsWith("#") ? [] : [value])),
  ]);
}
