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
export async function copyForms(plain: Promise<string>, html: Promise<string>): Promise<void> {
  const forms = { "text/plain": plain, "text/html": html };
  if (navigator.clipboard === undefined || typeof ClipboardItem === "undefined") {
    const [text] = await Promise.all([plain, html]);
    return copyText(text);
  }
  // The promises are given to the browser, since it allows copying only while the press lasts.
  const blobs = Object.entries(forms).map(([type, form]) => [type, form.then((words) => new Blob([words], { type }))] as const);
  await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}
