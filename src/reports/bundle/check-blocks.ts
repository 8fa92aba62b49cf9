import { sentencesOf } from "../../domain/blocks.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** Checks that the blocks show each claim once. A report of an earlier version has none. */
export function checkBlocks({ blocks, claims }: ReadBundle): string[] {
  if (blocks.length === 0) return [];
  const shown = new Map<number, string>();
  const faults = blocks.flatMap(({ name, value }) =>
    sentencesOf(value).flatMap((index) => {
      const before = shown.get(index);
      shown.set(index, before ?? name);
      if (index >= claims.length) return [`${name}: there is no claim ${index + 1}`];
      return before === undefined ? [] : [`${name}: claim ${index + 1} stands in ${before} already`];
    }),
  );
  const hidden = claims.filter(({ place }) => !shown.has(place - 1)).map(({ name }) => `${name}: it stands in no block`);
  return [...faults, ...hidden];
}
