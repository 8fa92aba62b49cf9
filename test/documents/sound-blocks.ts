import { expect } from "vitest";
import type { ExtractedDocument } from "../../src/domain/document.ts";

/** Checks what every extracted document guarantees, whatever its format. */
export function expectSoundBlocks({ text, blocks }: ExtractedDocument): void {
  let reached = 0;
  for (const { kind, start, end } of blocks) {
    const block = text.slice(start, end);
    expect(start).toBeGreaterThanOrEqual(reached);
    expect(block).not.toBe("");
    expect(block).toBe(block.trim());
    if (kind !== "code") expect(block).not.toMatch(/\n|\s{2}/);
    expect(text.slice(reached, start)).toMatch(/^\n{0,2}$/);
    reached = end;
  }
  expect(reached).toBe(text.length);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/[\0\ufeff]/);
}

/** Returns the blocks as `kind+level: text`, for comparison with literals. */
export function blockLines({ text, blocks }: ExtractedDocument): string[] {
  return blocks.map(({ kind, level, start, end }) => `${kind}${level || ""}: ${text.slice(start, end)}`);
}
