import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Service, ServiceSetting } from "../../../src/tools/shared/entry.ts";
import { SOURCES } from "../../../src/tools/sources/sources.ts";
import { SERVICES } from "../../../src/tools/tools.ts";
import { sourceAt } from "../../contracts/service-under-test.ts";
import { openDossier } from "../../helpers/open-dossier.ts";

async function searched(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const { operations } = await openDossier({ environment });
  const found = operations.sources().filter(({ configured, kind }) => configured && kind !== "tool");
  return found.map(({ id }) => id);
}

const settingsOf = ({ settings: { apiKey, baseUrl } }: Service): ServiceSetting[] => [...(apiKey ? [apiKey] : []), baseUrl];
const requiredOf = (service: Service): ServiceSetting | undefined => settingsOf(service).find(({ required }) => required === true);
const FREE = [
  "corpus",
  ...SOURCES.filter((entry) => requiredOf(entry) === undefined && entry.onlyWhenNamed !== true).map(({ endpoint }) => endpoint.id),
];

it("without settings, searches the sources that need none", async () => {
  expect((await searched({ SOURCES: "" })).toSorted()).toEqual(FREE.toSorted());
  expect(FREE).toContain("wikipedia");
  expect(FREE).not.toContain("duckduckgo");
});

it("with a key or an address, searches the source that needs it", async () => {
  const environment = { SOURCES: "", TAVILY_API_KEY: "k", BRAVE_API_KEY: "k", SERPER_API_KEY: "k", SEARXNG_BASE_URL: "http://127.0.0.1:9" };
  expect((await searched(environment)).toSorted()).toEqual([...FREE, "tavily", "brave", "serper", "searxng"].toSorted());
});

it("searches DuckDuckGo only if it is named, and refuses names of sources that are not set up", async () => {
  expect(await searched({ SOURCES: "duckduckgo" })).toEqual(["duckduckgo"]);
  await expect(searched({ SOURCES: "corpus,brave" })).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("BRAVE_API_KEY"),
  });
});

it("says whether a source that is not set up needs a key", async () => {
  const { operations } = await openDossier({ environment: { SOURCES: "" } });
  const missing = operations.sources().filter(({ configured }) => !configured);
  expect(missing.map(({ id, needsKey }) => [id, needsKey])).toEqual([
    ["searxng", false],
    ["tavily", true],
    ["brave", true],
    ["serper", true],
    ["duckduckgo", false],
  ]);
});

it("says that an index of English texts is one, and names no languages of others", () => {
  const languages = SOURCES.map((entry) => [entry.endpoint.id, sourceAt(entry, "http://127.0.0.1").languages?.()]);
  expect(languages.filter(([, known]) => known !== undefined)).toEqual([
    ["arxiv", ["en"]],
    ["pubmed", ["en"]],
    ["europe_pmc", ["en"]],
  ]);
});

it("has an owner, public hosts and a rate for each", () => {
  for (const { endpoint } of SOURCES) {
    expect(endpoint.owner).toBe(endpoint.id);
    expect(endpoint.hosts.length).toBeGreaterThan(0);
    expect(endpoint.rate.requests / endpoint.rate.perMs).toBeLessThanOrEqual(0.1);
  }
});

describe("the settings of services are listed in", () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");
  const rowsOf = (text: string): string[][] =>
    text.split("\n").flatMap((line) =>
      line.startsWith("|")
        ? [
            line
              .slice(1, -1)
              .split(/(?<!\\)\|/)
              .map((cell) => cell.trim()),
          ]
        : [],
    );
  const sectionOf = (text: string, heading: string): string => text.split(heading)[1]?.split("\n## ")[0] ?? "";

  it(".env.example, each in its own paragraph", () => {
    const note = (service: Service): string => {
      const required = requiredOf(service);
      if (required !== undefined) return `Used only with ${required.variable}.`;
      return service.settings.apiKey === undefined ? "" : "A key allows more requests.";
    };
    const lines = SERVICES.flatMap((service) => [
      `# ${service.title}: ${service.description}. ${note(service)}`.trimEnd(),
      ...settingsOf(service).map(({ variable }) => `#${variable}=`),
    ]);
    const [, ...written] = /^# Services[\s\S]*?(?=\n\n)/m.exec(read(".env.example"))?.[0].split("\n") ?? [];
    expect(written).toEqual(lines);
  });

  it("docs/settings.md, as the table of services", () => {
    const cell = (setting: ServiceSetting | undefined): string =>
      setting === undefined ? "" : `\`${setting.variable}\`${setting.required === true ? " (required)" : ""}`;
    const rows = SERVICES.map(({ title, settings }) => [title, cell(settings.apiKey), cell(settings.baseUrl)]);
    expect(rowsOf(sectionOf(read("docs/settings.md"), "\n## Services")).slice(2)).toEqual(rows);
  });

  it("docs/sources.md, as the first table", () => {
    const [, , ...rows] = rowsOf(sectionOf(read("docs/sources.md"), "# Sources"));
    const told = rows.map(([id, description = "", needs = ""]) => [
      id,
      description,
      [...needs.matchAll(/[A-Z_]+_(?:API_KEY|BASE_URL)/g)].map(String),
    ]);
    const [corpus, ...sources] = told;
    expect(corpus?.[0]).toBe("`corpus`");
    expect(sources).toEqual(
      SOURCES.map((entry) => [
        `\`${entry.endpoint.id}\``,
        expect.stringMatching(new RegExp(`^${RegExp.escape(entry.description)}`)),
        settingsOf(entry)
          .filter((setting) => setting === entry.settings.apiKey || setting.required === true)
          .map(({ variable }) => variable),
      ]),
    );
  });
});
