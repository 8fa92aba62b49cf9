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
  if (navigator.clipboard === undefined || typeof ClipboardItem === "undefined") return copyText(await plain);
  // The promises are given to the browser, since it allows copying only while the press lasts.
  const blob = (text: Promise<string>, type: string): Promise<Blob> => text.then((words) => new Blob([words], { type }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob(plain, "text/plain"), "text/html": blob(html, "text/html") })]);
}
