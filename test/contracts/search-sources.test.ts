import { expect, it } from "vitest";
import { SOURCES } from "../../src/tools/sources.ts";
import { describeSearchSource, type SearchSourceContract } from "./search-source.ts";
import { CROSSREF_CONTRACT } from "./sources/crossref.ts";

/** One for each source; a new source is a file in sources/ and a line here. */
const CONTRACTS: readonly SearchSourceContract[] = [CROSSREF_CONTRACT];

it("every source on the network is held to the contract", () => {
  expect(CONTRACTS.map(({ entry }) => entry.endpoint.id).toSorted()).toEqual(SOURCES.map(({ endpoint }) => endpoint.id).toSorted());
});

for (const contract of CONTRACTS) describeSearchSource(contract);
