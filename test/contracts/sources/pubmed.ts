import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const article = (id: string): string => `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">${id}</PMID>
<Article PubModel="Print"><Journal><JournalIssue><PubDate><Year>2021</Year><Month>Mar</Month><Day>4</Day></PubDate></JournalIssue>
<Title>Journal of Lamps</Title></Journal><ArticleTitle>Lighthouse <i>optics</i> ${id}.</ArticleTitle>
<Abstract><AbstractText>Lamps &amp; lenses, measured.</AbstractText></Abstract>
<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Penrose</LastName><ForeName>Ada</ForeName><Initials>A</Initials></Author>
<Author ValidYN="Y"><CollectiveName>Coast Office</CollectiveName></Author></AuthorList>
<PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList></Article></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">${id}</ArticleId><ArticleId IdType="doi">10.5555/Light.${id}</ArticleId>
<ArticleId IdType="pmc">PMC9${id}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>`;
const articleSet = (articles: readonly string[]): string => `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>${articles.join("\n")}</PubmedArticleSet>`;
const ids = (idlist: readonly string[]): Answers =>
  json({ header: { type: "esearch" }, esearchresult: { count: String(idlist.length), idlist } });

/** Answers esearch and efetch, the latter with the requested records. */
const found =
  (total: number): Answers =>
  (request) =>
    request.url.pathname.endsWith("esearch.fcgi")
      ? ids(numbers(total).map((n) => String(100 + n)))(request)
      : articleSet((request.url.searchParams.get("id") ?? "").split(",").map(article));
const afterSearch =
  (efetch: string): Answers =>
  (request) =>
    request.url.pathname.endsWith("esearch.fcgi") ? ids(["101", "102", "103"])(request) : efetch;

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: {
    kind: "scholar",
    title: "Lighthouse optics 101",
    url: "https://pubmed.ncbi.nlm.nih.gov/101/",
    publishedAt: "2021-03-04",
    snippet: "Lamps & lenses, measured.",
    publication: {
      authors: ["Ada Penrose", "Coast Office"],
      doi: "10.5555/light.101",
      arxivId: null,
      pmid: "101",
      venue: "Journal of Lamps",
      licence: null,
      retracted: false,
      fullTextUrl: "https://pmc.ncbi.nlm.nih.gov/articles/PMC9101/",
    },
  },
  nothing: json({ esearchresult: { count: "0", idlist: [], errorlist: { phrasesnotfound: ["lighthouses"], fieldsnotfound: [] } } }),
  oneBroken: afterSearch(articleSet([article("101"), "<PubmedArticle><MedlineCitation/></PubmedArticle>", article("103")])),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("term"),
  key: { field: "api_key" },
  odd: {
    "fails when the backend of the search is down, although the status is 200": {
      answers: json({ esearchresult: { ERROR: "Search Backend failed: read timeout" } }),
      failure: "unreachable",
      says: /Search Backend failed/,
    },
    "fails when it is asked too fast, and does not repeat whom that came from": {
      answers: json({ error: "API rate limit exceeded", "api-key": "192.0.2.7", count: "4", limit: "3" }),
      failure: "rate_limited",
      says: /^(?!.*192\.0\.2\.7)/,
    },
    "says that the key was refused": {
      answers: () => ({ status: 400, text: '{"error":"API key invalid","api-key":"x"}' }),
      failure: "blocked",
      says: /PUBMED_API_KEY/,
    },
    "fails when efetch answers with an error": {
      answers: afterSearch("<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>"),
      failure: "unreachable",
      says: /ID list is empty/,
    },
    "fails when records were found and none is sent": { answers: afterSearch(articleSet([])), failure: "unreadable" },
    "fails when the records break off": { answers: afterSearch(articleSet([article("101")]).slice(0, -40)), failure: "unreadable" },
    "reads the XML of esearch as well": {
      answers: (request) =>
        request.url.pathname.endsWith("esearch.fcgi")
          ? "<eSearchResult><Count>0</Count><IdList/><ErrorList><PhraseNotFound>abcXYZ</PhraseNotFound></ErrorList></eSearchResult>"
          : null,
      titles: [],
    },
  },
};
