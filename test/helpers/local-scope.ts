import type { Parts } from "../../src/compose/parts.ts";

/** SOURCES for a deployment that has the corpus and the parts of a test, and nothing of the network. */
export function localScope({ sources = [], tools = [] }: Parts): string {
  return ["corpus", ...sources.map(({ id }) => id), ...tools.map(({ name }) => name)].join(",");
}
