import type { Hit } from "../../domain/hit.ts";
import type { Endpoint } from "../../domain/ports/http-fetch.ts";
import type { SearchSource } from "../../domain/ports/search-source.ts";
import { keywords } from "../../ranking/keywords.ts";
import { publicationHit } from "../publication-hit.ts";
import { createServiceClient } from "../services/service-client.ts";
import type { SourceOptions } from "../services/source-entry.ts";
import { type Work, WorksAnswerSchema } from "./schema.ts";

/** The public pool allows 5 requests a second, the polite one (with an address to write to) 10: https://api.crossref.org. */
export const CROSSREF: Endpoint = {
  id: "crossref",
  owner: "crossref",
  hosts: ["api.crossref.org"],
  rate: { requests: 5, perMs: 1_000, concurrent: 2 },
};

const FIELDS = ["DOI", "title", "subtitle", "abstract", "author", "container-title", "issued", "published", "license", "updated-by"];
const MAX_ROWS = 100;

/** Metadata of works that have a DOI, from Crossref's REST API. */
export function createCrossref({ fetch, contactEmail }: SourceOptions): SearchSource {
  const client = createServiceClient(CROSSREF, fetch);
  return {
    id: "crossref",
    kind: "scholar",
    title: "Crossref",
    async search({ text, limit }, context) {
      const url = new URL("https://api.crossref.org/works");
      url.searchParams.set("query.bibliographic", keywords(text).join(" "));
      url.searchParams.set("rows", String(Math.min(limit, MAX_ROWS)));
      url.searchParams.set("select", FIELDS.join(","));
      if (contactEmail !== undefined) url.searchParams.set("mailto", contactEmail);
      const { message } = await client.json(WorksAnswerSchema, url, context);
      return message.items.filter(({ title }) => title?.[0]).map(toHit);
    },
  };
}

function toHit(work: Work): Hit {
  const title = [work.title?.[0], work.subtitle?.[0]].filter((part) => part).join(": ");
  const date = (work.published ?? work.issued)?.["date-parts"][0]?.filter((part) => part !== null);
  return publicationHit({
    kind: "scholar",
    foundBy: "crossref",
    title,
    url: `https://doi.org/${work.DOI}`,
    publishedAt: date?.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, "0")).join("-") ?? null,
    snippet: work.abstract ?? "",
    authors: (work.author ?? []).map(({ given, family, name }) => name ?? [given, family].filter((part) => part).join(" ")),
    doi: work.DOI,
    venue: work["container-title"]?.[0] ?? null,
    licence: work.license?.[0]?.URL ?? null,
    retracted: (work["updated-by"] ?? []).some(({ type }) => type === "retraction"),
  });
}
