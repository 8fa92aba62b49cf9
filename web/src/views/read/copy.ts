/** Copies a text; also where the browser has no clipboard API, as on http addresses of a network. @throws if the browser refuses */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "hidden-text";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("The browser refused to copy.");
}

/** Copies both forms of a text, of which the place that it is pasted into takes one. */
export async function copyForms(plain: Promise<string>, html: string): Promise<void> {
  if (navigator.clipboard === undefined || typeof ClipboardItem === "undefined") return copyText(await plain);
  // The promise is given to the browser, since it allows copying only while the press lasts.
  const text = plain.then((words) => new Blob([words], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": text, "text/html": new Blob([html], { type: "text/html" }) })]);
}

/** Returns the HTML of a shown report for other programs: its text and notes, without marks that work only here. */
export function cleanHtml(report: HTMLElement): string {
  const copy = report.cloneNode(true) as HTMLElement;
  for (const mark of copy.querySelectorAll("button, .read-tools")) mark.remove();
  for (const link of copy.querySelectorAll(".read-cite")) link.replaceWith(`[${link.textContent}]`);
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) if (!KEPT.has(name)) element.removeAttribute(name);
  }
  return new XMLSerializer().serializeToString(copy);
}

const KEPT: ReadonlySet<string> = new Set(["lang", "dir", "start", "value", "scope", "colspan", "rowspan"]);
