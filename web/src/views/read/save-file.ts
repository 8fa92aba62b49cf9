const KEPT_MS = 60_000;

/** Has the browser save a file under this name. */
export function saveFile(blob: Blob, filename: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = filename;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
