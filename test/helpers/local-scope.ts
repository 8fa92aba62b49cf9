import type { Parts } from "../../src/compose/parts.ts";

/** Returns the SOURCES setting for the corpus and the tools of a test, without public sources. Requests may name addresses. */
export function localScope({ sources = [], tools = [] }: Parts): string {
  return ["corpus", "urls", ...sources.map(({ id }) => id), ...tools.map(({ name }) => name)].join(",");
}
