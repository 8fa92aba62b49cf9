/** The members of a DOM node that are used here. linkedom's types would need TypeScript's DOM library. */
export interface DomNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  readonly previousElementSibling?: DomNode | null;
  readonly nextElementSibling?: DomNode | null;
  readonly parentNode: DomNode | null;
  getAttribute?(name: string): string | null;
  setAttribute?(name: string, value: string): void;
  removeAttribute?(name: string): void;
  append?(child: DomNode | string): void;
  insertBefore?(child: DomNode, before: DomNode | null): void;
  before?(text: string): void;
  replaceWith?(other: DomNode | string): void;
  remove?(): void;
  cloneNode?(deep: boolean): DomNode;
  contains(other: DomNode): boolean;
  closest?(selector: string): DomNode | null;
  querySelector?(selector: string): DomNode | null;
  querySelectorAll?(selector: string): Iterable<DomNode>;
}

export interface DomDocument extends DomNode {
  readonly documentElement: DomNode | null;
  readonly head: DomNode | null;
  readonly body: DomNode | null;
  querySelectorAll(selector: string): Iterable<DomNode>;
  createElement(name: string): DomNode;
}

/** Avoids the document node: `walk` would end at the doctype, which has no next sibling. */
export function bodyOf(document: DomDocument): DomNode {
  return document.body ?? document.documentElement ?? document;
}

/** Visits nodes in document order without recursion. Skips the children of a node if `enter` returns false. */
export function walk(root: DomNode, enter: (node: DomNode) => boolean | "stop", leave: (node: DomNode) => unknown = () => {}): void {
  let node: DomNode | null = root;
  while (node) {
    const entered = enter(node);
    if (entered === "stop") return;
    const child: DomNode | null = entered ? node.firstChild : null;
    if (entered && !child) leave(node);
    node = child ?? nextAfter(node, root, leave);
  }
}

function nextAfter(from: DomNode, root: DomNode, leave: (node: DomNode) => unknown): DomNode | null {
  let node = from;
  while (node !== root) {
    if (node.nextSibling) return node.nextSibling;
    if (!node.parentNode) return null;
    node = node.parentNode;
    leave(node);
  }
  return null;
}

export function attributeOf(node: DomNode, name: string): string {
  return node.getAttribute?.(name) ?? "";
}

export function isElement(node: DomNode): boolean {
  return node.nodeType === 1;
}

export function shapeOf(node: DomNode | null): string {
  return node === null || !isElement(node) ? "" : `${node.localName} ${attributeOf(node, "class")}`;
}

export function isText(node: DomNode): boolean {
  return node.nodeType === 3;
}

export function hasText(root: DomNode, isSkipped: (node: DomNode) => boolean = () => false): boolean {
  let found = false;
  walk(root, (node) => {
    if (isSkipped(node)) return false;
    found ||= isText(node) && /\S/.test(node.nodeValue ?? "");
    return found ? "stop" : true;
  });
  return found;
}
