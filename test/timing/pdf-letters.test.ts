import { it } from "vitest";
import { toLines } from "../../src/documents/pdf/lines.ts";
import type { Segment } from "../../src/documents/pdf/read-page.ts";
import { toRegions } from "../../src/documents/pdf/regions.ts";
import { expectLinear } from "../helpers/expect-linear.ts";

const LOOK = { size: 12, bold: false, turn: 0, vertical: false, tracking: 0, letterGap: 0 } as const;

function letterAt(left: number, bottom: number, i: number): Segment {
  return { ...LOOK, left, right: left + 7, bottom, top: bottom + 12, text: String.fromCharCode(97 + (i % 26)) };
}

it.each([
  ["rows", (i: number, block: number) => letterAt(40 + 20 * i, 700 - 14 * block, i)],
  ["columns", (i: number, block: number) => letterAt(40 + 40 * block, 700 - 14 * i, i)],
])("two %s of single letters take no longer than in proportion to their length", (_, place) => {
  expectLinear((size) => {
    const segments = [0, 1].flatMap((block) => Array.from({ length: size }, (_, i) => place(i, block)));
    toRegions(toLines(segments));
  }, 1_000);
});
