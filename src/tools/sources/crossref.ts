import { z } from "zod";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { doiAddress, type FoundWork, personName } from "../shared/hits.ts";
import { dateFilters, queryWords, withoutQuotes } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { readItems, withQuery } from "../shared/service-client.ts";
import { plainText } from "../shared/text.ts";

/** Searches Crossref's REST API. A retracted work and the notice of its retraction are both marked as retracted. */
export const CROSSREF: SourceEntry = {
  // This is the rate limit without a contact email: https://www.crossref.org/blog/announcing-changes-to-rest-api-rate-limits/.
  endpoint: { id: "crossref", owner: "crossref", hosts: ["api.crossref.org"], rate: { requests: 1, perMs: 1_000, concurrent: 1 } },
  kind: "scholar",
  title: "Crossref",
  description: "works with a DOI, with retractions",
  settings: { baseUrl: { variable: "CROSSREF_BASE_URL" } },
  fasterRate: { needs: "contactEmail", rate: { requests: 3, perMs: 1_000, concurrent: 3 } },
  create: createCrossref,
};

const RETRACTING = new Set(["retraction", "withdrawal", "removal"]);
/** The licenses of these versions allow text mining or sharing, not reading. */
const OTHER_VERSIONS = new Set(["tdm", "stm-asf"]);
const OPEN_LICENSE = /^https?:\/\/(?:www\.)?creativecommons\.org\//i;

function createCrossref({ client, contactEmail }: SourceOptions): SearchFunctions {
  const lineOf = (text: string, written?: true): string => withoutQuotes(queryWords(text, written)).join(" ");
  return searchByLine(lineOf, async (line, query, context) => {
    const url = withQuery("https://api.crossref.org/works", {
      "query.bibliographic": line,
      filter: dateFilters(query, "from-pub-date", "until-pub-date"),
      rows: query.limit,
      select: WORK_FIELDS.join(","),
      mailto: contactEmail,
    });
    const { message } = await client.json(WorksAnswerSchema, url, context);
    return readItems("crossref", WorkSchema, message.items).map(toWork);
  });
}

function toWork(work: Work): FoundWork {
  const updates = [...(work["updated-by"] ?? []), ...(work["update-to"] ?? [])];
  return {
    title: titleOf(work),
    url: doiAddress(work.DOI) ?? "",
    publishedAt: dateOf(work.published) ?? dateOf(work.issued),
    snippet: abstractOf(work),
    authors: (work.author ?? []).map(({ given, family, suffix, name }) => name ?? personName(given, family, suffix)),
    doi: work.DOI,
    venue: work["container-title"]?.[0] ?? work["group-title"] ?? work.publisher ?? null,
    licence: licenseOf(work),
    retracted: updates.some(({ type }) => RETRACTING.has(type.toLowerCase())),
    fullTextUrl: openFileOf(work),
  };
}

function titleOf({ title, subtitle }: Work): string {
  const [main, more] = [plainText(title?.[0] ?? ""), plainText(subtitle?.[0] ?? "")];
  return main === "" || more === "" || main.toLowerCase().includes(more.toLowerCase()) ? main : `${main}: ${more}`;
}

/** The abstract is JATS XML. Removes the heading "Abstract", and puts a colon after other headings. */
function abstractOf({ abstract }: Work): string {
  return (abstract ?? "")
    .replace(/^\s*(?:<jats:sec>\s*)?<jats:title>\s*(?:abstract|summary|摘要)\s*<\/jats:title>/i, "")
    .replaceAll(/[:.]?\s*<\/jats:title>/gi, ": ");
}

function dateOf(date: Work["issued"]): string | null {
  const parts = date?.["date-parts"]?.[0] ?? [];
  const gap = parts.indexOf(null);
  const known = parts.slice(0, gap === -1 ? 3 : gap);
  return known.length === 0 ? null : known.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, "0")).join("-");
}

function licenseOf({ license }: Work): string | null {
  const licenses = license ?? [];
  const chosen =
    licenses.find(({ URL }) => OPEN_LICENSE.test(URL)) ??
    licenses.find((one) => one["content-version"] === "vor") ??
    licenses.find((one) => !OTHER_VERSIONS.has(one["content-version"] ?? ""));
  return chosen?.URL ?? null;
}

/** Skips URLs of the publishers' APIs, which need a key. */
function openFileOf(work: Work): string | null {
  if (!OPEN_LICENSE.test(licenseOf(work) ?? "")) return null;
  const files = (work.link ?? []).filter(({ URL }) => /^https?:\/\/(?!api\.)/i.test(URL));
  return files.find((one) => one["content-type"] === "application/pdf" || /\bpdf\b/i.test(one.URL))?.URL ?? null;
}

const DatePartsSchema = z.object({ "date-parts": z.array(z.array(z.number().nullable())).nullish() });
const text = z.string().nullish();
const AuthorSchema = z.object({ given: text, family: text, suffix: text, name: text });

const WorkSchema = z.object({
  DOI: z.string(),
  title: z.array(z.string()).nullish(),
  subtitle: z.array(z.string()).nullish(),
  abstract: text,
  author: z.array(AuthorSchema).nullish(),
  "container-title": z.array(z.string()).nullish(),
  "group-title": text,
  publisher: text,
  issued: DatePartsSchema.nullish(),
  published: DatePartsSchema.nullish(),
  license: z.array(z.object({ URL: z.string(), "content-version": text })).nullish(),
  link: z.array(z.object({ URL: z.string(), "content-type": text })).nullish(),
  "updated-by": z.array(z.object({ type: z.string() })).nullish(),
  "update-to": z.array(z.object({ type: z.string() })).nullish(),
});
type Work = z.infer<typeof WorkSchema>;

/** The fields to request. Crossref refuses names that it does not know. */
export const WORK_FIELDS = Object.keys(WorkSchema.shape);

const WorksAnswerSchema = z.object({ message: z.object({ items: z.array(z.unknown()) }) });
