import createPurifier from "dompurify";
import { CUSTOM_ELEMENTS } from "./custom-elements.tsx";

const XHTML = "http://www.w3.org/1999/xhtml";

/** Elements that only arrange text. No links, pictures, forms, frames, styles, scripts, SVG or MathML. */
const TAGS = [
  ...["p", "br", "hr", "div", "span", "section", "article", "header", "footer", "blockquote", "pre", "figure", "figcaption", "address"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "details", "summary"],
  ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ...["strong", "em", "b", "i", "u", "s", "del", "ins", "sub", "sup", "small", "mark", "code", "kbd", "samp", "var", "q", "cite", "abbr"],
  ...["time", "bdi", "bdo", "wbr", "ruby", "rt", "rp"],
];

/** No `id`, `name`, `class` or `style`: nothing can take the place or the look of a part of this page. */
const ATTRIBUTES = ["colspan", "rowspan", "scope", "title", "lang", "dir", "datetime", "start", "open", "props"];

/** Unknown elements in place of these, which are dropped with what is in them. */
const REPORTED_TAGS = /<(\/?)(style|base|meta|script)(?![a-z0-9-])/gi;
const REPORTED_ATTRIBUTE = /s(tyle[\t\n\f\r ]*=)/gi;

/**
 * Takes away what the browser would report as a violation of the page's policy, although it stands in a document that shows nothing: style
 * elements and attributes, scripts, `base` and `meta`. Safety does not depend on it. In a text or a value `&#115;` is an `s` still; in the name of
 * an attribute it is not.
 */
function withoutReported(html: string): string {
  return html.replaceAll(REPORTED_TAGS, "<$1x-dropped").replaceAll(REPORTED_ATTRIBUTE, "&#115;$1");
}

/**
 * Returns what may be shown of a tool's HTML, as nodes. The library parses it in a document that runs and loads nothing, under the one
 * trusted-types policy that the page allows.
 */
export function cleanHtml(html: string): DocumentFragment {
  return createPurifier.sanitize(withoutReported(html), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_NAMESPACES: [XHTML],
    ADD_FORBID_CONTENTS: ["x-dropped"],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    CUSTOM_ELEMENT_HANDLING: {
      tagNameCheck: (name) => CUSTOM_ELEMENTS.has(name),
      attributeNameCheck: (name) => name === "props",
      allowCustomizedBuiltInElements: false,
    },
    RETURN_DOM_FRAGMENT: true,
  });
}
