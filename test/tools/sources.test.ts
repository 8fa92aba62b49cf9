import { expect, it } from "vitest";
import { SOURCES } from "../../src/tools/sources/sources.ts";
import { openDossier } from "../helpers/open-dossier.ts";

async function searched(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const { operations } = await openDossier({ environment });
  const found = operations.sources().filter(({ configured, kind }) => configured && kind !== "tool");
  return found.map(({ id }) => id);
}

const FREE = [
  "corpus",
  ...SOURCES.filter(({ needs, onlyWhenNamed }) => needs === "nothing" && onlyWhenNamed !== true).map(({ endpoint }) => endpoint.id),
];

it("searches what needs nothing when nothing is set", async () => {
  expect((await searched({ SOURCES: "" })).toSorted()).toEqual(FREE.toSorted());
  expect(FREE).toContain("wikipedia");
  expect(FREE).not.toContain("duckduckgo");
});

it("searches with a key or an address what needs one", async () => {
  const environment = { SOURCES: "", TAVILY_API_KEY: "k", BRAVE_API_KEY: "k", SERPER_API_KEY: "k", SEARXNG_BASE_URL: "http://127.0.0.1:9" };
  expect((await searched(environment)).toSorted()).toEqual([...FREE, "tavily", "brave", "serper", "searxng"].toSorted());
});

it("searches DuckDuckGo only where it is named, and refuses names of what is not set up", async () => {
  expect(await searched({ SOURCES: "duckduckgo" })).toEqual(["duckduckgo"]);
  await expect(searched({ SOURCES: "corpus,brave" })).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("brave"),
  });
});

it("has an owner, public hosts and a rate for each", () => {
  for (const { endpoint } of SOURCES) {
    expect(endpoint.owner).toBe(endpoint.id);
    expect(endpoint.hosts.length).toBeGreaterThan(0);
    expect(endpoint.rate.requests / endpoint.rate.perMs).toBeLessThanOrEqual(0.1);
  }
});
