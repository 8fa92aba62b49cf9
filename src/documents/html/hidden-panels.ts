import { collapse } from "../block-text.ts";
import { clutterWord, namesOf } from "./clutter.ts";
import { bodyOf, type DomDocument, type DomNode, isElement, isText, walk } from "./dom.ts";
import { isHidden } from "./html-blocks.ts";

/** What opens and closes without being a part of the text: menus, searches, dialogs. */
const OTHER_ELEMENTS = /^(?:nav|header|footer|aside|dialog|form|menu)$/;
const OTHER_ROLES = /^(?:alert|alertdialog|banner|complementary|contentinfo|dialog|listbox|menu|menubar|navigation|search|status|tooltip)$/;
const CONTROLS = /^(?:input|select|textarea|iframe)$/;
const SILENT = /^(?:script|style|noscript|template|svg)$/;
/** What templates call a panel that opens. */
const PANEL_NAME =
  /(?:^|-)(?:accordion|faqs?|answers?|collaps(?:e|ible|ed)|expand(?:able)?|toggle|panel|tab-?(?:panel|pane|content))(?:-|$)/;
const HEADING = /^(?:h[1-6]|dt|summary)$/;
/** A panel with less is a label; a longer label of a button is none. */
const MIN_PANEL_LENGTH = 15;
const MAX_LABEL_LENGTH = 300;
/** More panels than these no page has. */
const MAX_PANELS = 2_000;

/**
 * Shows the hidden parts of a page that a button opens or that are named as such panels, and makes their buttons headings:
 * the answers of a FAQ. Menus, dialogs and forms stay hidden. With `all`, every hidden part with running text is shown.
 */
export function revealPanels(document: DomDocument, all = false): void {
  const body = bodyOf(document);
  const openers = openersOf(document);
  const hidden: DomNode[] = [];
  walk(body, (node) => {
    if (!isElement(node) || isOther(node) || SILENT.test(node.localName ?? "")) return false;
    if (isHidden(node)) hidden.push(node);
    return hidden.length < MAX_PANELS ? true : "stop";
  });
  for (const node of hidden) {
    const opener = openers.get(node.getAttribute?.("id") ?? "");
    if (!(all || opener || isPanel(node)) || !isRunningText(node)) continue;
    show(node);
    if (opener?.localName === "button") nameByHeading(document, opener);
  }
}

/** What opens a part of the page, by the id of the part. */
function openersOf(document: DomDocument): Map<string, DomNode> {
  const openers = new Map<string, DomNode>();
  for (const node of document.querySelectorAll("[aria-controls]")) {
    for (const id of (node.getAttribute?.("aria-controls") ?? "").split(/\s+/)) if (id !== "") openers.set(id, node);
  }
  return openers;
}

function isOther(node: DomNode): boolean {
  return OTHER_ELEMENTS.test(node.localName ?? "") || OTHER_ROLES.test(node.getAttribute?.("role") ?? "") || clutterWord(node) !== null;
}

function isPanel(node: DomNode): boolean {
  const outer = node.parentNode;
  const named = [node, ...(outer && isElement(outer) ? [outer] : [])].flatMap((element) => namesOf(element));
  return node.getAttribute?.("role") === "tabpanel" || named.some((name) => PANEL_NAME.test(name));
}

/** Whether most of it is text that is neither link nor part of a form. */
function isRunningText(root: DomNode): boolean {
  let plain = 0;
  let linked = 0;
  let links = 0;
  let controls = 0;
  walk(
    root,
    (node) => {
      const name = node.localName ?? "";
      if (SILENT.test(name)) return false;
      if (name === "a") links++;
      if (CONTROLS.test(name)) controls++;
      const length = isText(node) ? collapse(node.nodeValue ?? "").length : 0;
      if (links > 0) linked += length;
      else plain += length;
      return true;
    },
    (node) => {
      if (node.localName === "a") links--;
    },
  );
  return controls === 0 && plain >= MIN_PANEL_LENGTH && plain > linked;
}

function show(node: DomNode): void {
  node.removeAttribute?.("hidden");
  node.removeAttribute?.("aria-hidden");
  if (isHidden(node)) node.removeAttribute?.("style");
}

/** The label of a button as text: buttons are no part of a text. */
function nameByHeading(document: DomDocument, button: DomNode): void {
  const label = collapse(button.textContent ?? "");
  if (button.parentNode === null || label === "" || label.length > MAX_LABEL_LENGTH) return;
  const heading = document.createElement(isInHeading(button) ? "span" : "h3");
  for (let child = button.firstChild; child; child = button.firstChild) heading.append?.(child);
  button.parentNode.insertBefore?.(heading, button);
  button.remove?.();
}

function isInHeading(button: DomNode): boolean {
  for (let at = button.parentNode; at; at = at.parentNode) if (HEADING.test(at.localName ?? "")) return true;
  return false;
}
