import type { Page } from "playwright-core";

/** Drops a text file on an element, as a user does from another window. */
export async function dropFile(page: Page, selector: string, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
    return transfer;
  })()`);
  await page.dispatchEvent(selector, "drop", { dataTransfer });
}
