import { z } from "zod";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { doiAddress, type FoundWork, isRetractedType, personName } from "../shared/hits.ts";
import { dayRange, englishWords, withCondition } from "../shared/query.ts";
import { searchByWords } from "../shared/searches.ts";
import { readItems, withQuery } from "../shared/service-client.ts";
import { plainText } from "../shared/text.ts";

export const EUROPE_PMC: SourceEntry = {
  // No limit is documented: https://europepmc.org/RestfulWebService.
  endpoint: { id: "europe_pmc", owner: "europe_pmc", hosts: ["www.ebi.ac.uk"], rate: { requests: 5, perMs: 1_000, concurrent: 2 } },
  kind: "scholar",
  title: "Europe PMC",
  description: "life sciences with preprints and full texts, in English",
  languages: ["en"],
  settings: { baseUrl: { variable: "EUROPE_PMC_BASE_URL" } },
  create: createEuropePmc,
};

function createEuropePmc({ client, contactEmail }: SourceOptions): SearchFunctions {
  return searchByWords(englishWords, async (words, operator, query, context) => {
    const days = dayRange(query);
    const published = days && `FIRST_PDATE:[${days.join(" TO ")}]`;
    const url = withQuery("https://www.ebi.ac.uk/europepmc/webservices/rest/search", {
      query: withCondition(words.map(term).join(` ${operator} `), published),
      resultType: "core",
      format: "json",
      pageSize: query.limit,
      email: contactEmail,
    });
    const { hitCount, resultList } = await client.json(SearchAnswerSchema, url, context);
    const records = resultList?.result ?? [];
    if (records.length === 0 && hitCount > 0) throw new DossierError("unreadable", `europe_pmc counted ${hitCount} records and sent none.`);
    return readItems("europe_pmc", RecordSchema, records).map(toWork);
  });
}

/** Quotes keep Europe PMC from reading a word as an operator or a field. */
function term(word: string): string {
  const plain = /^[\p{L}\p{N}\p{M}]+$/u.test(word) && !/^(?:and|or|not)$/i.test(word);
  return plain ? word : `"${word.replaceAll(/["\\]/g, " ").trim()}"`;
}

function toWork(record: EuropePmcRecord): FoundWork {
  const types = record.pubTypeList?.pubType ?? [];
  const remarks = (record.commentCorrectionList?.commentCorrection ?? []).map(({ type }) => type ?? "");
  const page = `https://europepmc.org/article/${encodeURIComponent(record.source)}/${encodeURIComponent(record.id)}`;
  return {
    title: plainText(record.title ?? "").replace(/(?<!\.)\.$/, ""),
    url: doiAddress(record.doi) ?? page,
    publishedAt: record.firstPublicationDate ?? record.pubYear,
    snippet: record.abstractText,
    authors: authorsOf(record),
    doi: record.doi ?? null,
    pmid: record.pmid ?? null,
    venue: record.journalInfo?.journal?.title ?? record.bookOrReportDetails?.publisher ?? null,
    licence: record.license ?? null,
    retracted: [...types, ...remarks].some(isRetractedType),
    fullTextUrl: fullTextOf(record),
  };
}

function authorsOf({ authorList, authorString }: EuropePmcRecord): string[] {
  const nameOf = ({ collectiveName, firstName, lastName, fullName }: z.infer<typeof AuthorSchema>): string =>
    collectiveName ?? ((firstName && personName(firstName, lastName)) || fullName || "");
  const listed = (authorList?.author ?? []).map(nameOf);
  return listed.length > 0 ? listed : (authorString ?? "").replace(/\.$/, "").split(", ");
}

/** Prefers PDF files to pages, which need scripts, and Europe PMC's copies to other copies. */
function fullTextOf({ fullTextUrlList }: EuropePmcRecord): string | null {
  const open = (fullTextUrlList?.fullTextUrl ?? []).filter(({ availabilityCode }) => availabilityCode === "OA" || availabilityCode === "F");
  const own = open.filter(({ site }) => site === "Europe_PMC");
  const isFile = ({ documentStyle }: { documentStyle?: string | null | undefined }): boolean => documentStyle === "pdf";
  return (own.find(isFile) ?? open.find(isFile) ?? own[0] ?? open[0])?.url ?? null;
}

const text = z.string().nullish();
const AuthorSchema = z.object({ fullName: text, firstName: text, lastName: text, collectiveName: text });
const FullTextSchema = z.object({ availabilityCode: text, documentStyle: text, site: text, url: z.string() });

const RecordSchema = z.object({
  id: z.string(),
  source: z.string(),
  pmid: text,
  doi: text,
  title: text,
  authorString: text,
  authorList: z.object({ author: z.array(AuthorSchema).nullish() }).nullish(),
  journalInfo: z.object({ journal: z.object({ title: text }).nullish() }).nullish(),
  bookOrReportDetails: z.object({ publisher: text }).nullish(),
  pubYear: text,
  firstPublicationDate: text,
  abstractText: text,
  pubTypeList: z.object({ pubType: z.array(z.string()).nullish() }).nullish(),
  commentCorrectionList: z.object({ commentCorrection: z.array(z.object({ type: text })).nullish() }).nullish(),
  fullTextUrlList: z.object({ fullTextUrl: z.array(FullTextSchema).nullish() }).nullish(),
  license: text,
});
type EuropePmcRecord = z.infer<typeof RecordSchema>;

/** `hitCount` is required, because incomplete answers lack it and still have status 200. */
const SearchAnswerSchema = z.object({
  hitCount: z.number(),
  resultList: z.object({ result: z.array(z.unknown()).nullish() }).nullish(),
});
