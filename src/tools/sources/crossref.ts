import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { doiUrl, firstHits, normalizeDoi, personName, publicationHits } from "../services/hits.ts";
import { queryWords } from "../services/query.ts";
import { readItems } from "../services/read-answer.ts";
import { type Answer, createServiceClient } from "../services/service-client.ts";
import { plainText } from "../services/text.ts";

/**
 * Lists of works: once a second, one at a time; with an address to write to three of each:
 * https://www.crossref.org/blog/announcing-changes-to-rest-api-rate-limits/.
 */
export const CROSSREF: Endpoint = {
  id: "crossref",
  owner: "crossref",
  hosts: ["api.crossref.org"],
  rate: { requests: 1, perMs: 1_000, concurrent: 1 },
};
const POLITE_RATE = { requests: 3, perMs: 1_000, concurrent: 3 };

const MAX_ROWS = 100;
/** Updates after which a work no longer stands; corrections and expressions of concern are others. */
const RETRACTING = new Set(["retraction", "withdrawal", "removal"]);
/** Versions that licences are for which say nothing of reading. */
const OTHER_ENDS = new Set(["tdm", "stm-asf"]);
const OPEN_LICENCE = /^https?:\/\/(?:www\.)?creativecommons\.org\//i;

/** Metadata of works that have a DOI, from Crossref's REST API. The notice of a retraction is marked like the work itself. */
export function createCrossref({ fetch, contactEmail }: SourceOptions): SearchSource {
  const endpoint = contactEmail === undefined ? CROSSREF : { ...CROSSREF, rate: POLITE_RATE };
  const client = createServiceClient(endpoint, fetch, judge);
  return {
    id: "crossref",
    kind: "scholar",
    title: "Crossref",
    async search({ text, limit }, context) {
      const url = new URL("https://api.crossref.org/works");
      url.searchParams.set("query.bibliographic", queryWords(text).join(" "));
      url.searchParams.set("rows", String(Math.min(limit, MAX_ROWS)));
      url.searchParams.set("select", WORK_FIELDS.join(","));
      if (contactEmail !== undefined) url.searchParams.set("mailto", contactEmail);
      const { message } = await client.json(WorksAnswerSchema, url, context);
      return firstHits(readItems("crossref", WorkSchema, message.items).flatMap(toHit), limit);
    },
  };
}

/** A refused request says what is wrong in a list of messages. */
function judge({ status, text }: Answer): DossierError | null {
  const said = /"message"\s*:\s*"([^"]{1,200})/.exec(text.slice(0, 2_000))?.[1];
  if (status !== 400 || said === undefined) return null;
  return new DossierError("unreadable", `Crossref refused the question: ${said.trim()}`);
}

function toHit(work: Work): Hit[] {
  const doi = normalizeDoi(work.DOI);
  const title = titleOf(work);
  if (doi === null || title === "") return [];
  const updates = [...(work["updated-by"] ?? []), ...(work["update-to"] ?? [])];
  return publicationHits({
    kind: "scholar",
    foundBy: "crossref",
    title,
    url: doiUrl(doi),
    publishedAt: dateOf(work.published) ?? dateOf(work.issued),
    snippet: abstractOf(work),
    authors: (work.author ?? []).map(({ given, family, suffix, name }) => name ?? personName(given, family, suffix)),
    doi,
    venue: work["container-title"]?.[0] ?? work["group-title"] ?? work.publisher ?? null,
    licence: licenceOf(work),
    retracted: updates.some(({ type }) => RETRACTING.has(type.toLowerCase())),
    fullTextUrl: openFileOf(work),
  });
}

/** Many titles hold their subtitle already. */
function titleOf({ title, subtitle }: Work): string {
  const [main, more] = [plainText(title?.[0] ?? ""), plainText(subtitle?.[0] ?? "")];
  return main === "" || more === "" || main.toLowerCase().includes(more.toLowerCase()) ? main : `${main}: ${more}`;
}

/** JATS: headings get a colon, and the one that only says "Abstract" goes. */
function abstractOf({ abstract }: Work): string {
  return (abstract ?? "")
    .replace(/^\s*(?:<jats:sec>\s*)?<jats:title>\s*(?:abstract|summary|摘要)\s*<\/jats:title>/i, "")
    .replaceAll(/[:.]?\s*<\/jats:title>/gi, ": ");
}

/** A date as far as it is known: after the first part that is missing nothing counts. */
function dateOf(date: Work["issued"]): string | null {
  const parts = date?.["date-parts"]?.[0] ?? [];
  const gap = parts.indexOf(null);
  const known = parts.slice(0, gap === -1 ? 3 : gap);
  return known.length === 0 ? null : known.map((part, i) => String(part).padStart(i === 0 ? 4 : 2, "0")).join("-");
}

/** The licence of the published version, an open one before others; those for text mining and sharing are for other ends. */
function licenceOf({ license }: Work): string | null {
  const licences = license ?? [];
  const chosen =
    licences.find(({ URL }) => OPEN_LICENCE.test(URL)) ??
    licences.find((one) => one["content-version"] === "vor") ??
    licences.find((one) => !OTHER_ENDS.has(one["content-version"] ?? ""));
  return chosen?.URL ?? null;
}

/** The publisher's file, where the licence lets anyone have it; addresses of APIs ask for keys. */
function openFileOf(work: Work): string | null {
  if (!OPEN_LICENCE.test(licenceOf(work) ?? "")) return null;
  const files = (work.link ?? []).filter(({ URL }) => /^https?:\/\/(?!api\.)/i.test(URL));
  return files.find((one) => one["content-type"] === "application/pdf" || /\bpdf\b/i.test(one.URL))?.URL ?? null;
}

const DatePartsSchema = z.object({ "date-parts": z.array(z.array(z.number().nullable())).nullish() });
const AuthorSchema = z.object({
  given: z.string().nullish(),
  family: z.string().nullish(),
  suffix: z.string().nullish(),
  /** Of a group. */
  name: z.string().nullish(),
});

/** A work of the Crossref REST API, as far as it is used here. */
const WorkSchema = z.object({
  DOI: z.string(),
  title: z.array(z.string()).nullish(),
  subtitle: z.array(z.string()).nullish(),
  abstract: z.string().nullish(),
  author: z.array(AuthorSchema).nullish(),
  "container-title": z.array(z.string()).nullish(),
  /** Where a preprint names its server. */
  "group-title": z.string().nullish(),
  publisher: z.string().nullish(),
  issued: DatePartsSchema.nullish(),
  published: DatePartsSchema.nullish(),
  license: z.array(z.object({ URL: z.string(), "content-version": z.string().nullish() })).nullish(),
  link: z.array(z.object({ URL: z.string(), "content-type": z.string().nullish() })).nullish(),
  /** What other records say about this one; a retraction is a record of its own. */
  "updated-by": z.array(z.object({ type: z.string() })).nullish(),
  /** What this record says about others. */
  "update-to": z.array(z.object({ type: z.string() })).nullish(),
});
type Work = z.infer<typeof WorkSchema>;

/**
 * What `select` has to name for `WorkSchema`. The service refuses a list with any other name than those of its own list,
 * which it sends with that refusal; these were all on it in October 2026.
 */
export const WORK_FIELDS = Object.keys(WorkSchema.shape);

const WorksAnswerSchema = z.object({ message: z.object({ items: z.array(z.unknown()) }) });
