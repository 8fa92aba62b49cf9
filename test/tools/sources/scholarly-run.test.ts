import { expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../../fakes/loopback-server.ts";
import { openDossier } from "../../helpers/open-dossier.ts";

const QUESTION = "What does whale oil do to lighthouse lenses?";
const SOURCES = ["openalex", "crossref", "arxiv", "semantic_scholar", "pubmed", "europe_pmc"];
const DOI = "10.5555/soot.1";

/** One server for all services: each path belongs to one. Two know the retracted work, and one of these knows of the retraction. */
const ANSWERS: Readonly<Record<string, string>> = {
  "/openalex/works": JSON.stringify({
    results: [
      {
        id: "https://openalex.org/W1",
        doi: `https://doi.org/${DOI}`,
        title: "Soot on lighthouse lenses",
        publication_date: "2019-05-01",
        primary_location: { source: { display_name: "Journal of Lamps" } },
        authorships: [{ raw_author_name: "Ada Penrose" }, { raw_author_name: "Bo Tolmere" }],
        is_retracted: false,
        abstract_inverted_index: null,
      },
    ],
  }),
  "/crossref/works": JSON.stringify({
    message: {
      items: [
        {
          DOI: DOI.toUpperCase(),
          title: ["Soot on lighthouse lenses"],
          abstract: "<jats:p>Whale oil covers lighthouse lenses with soot within nine nights.</jats:p>",
          "updated-by": [{ type: "retraction", DOI: "10.5555/soot.2" }],
        },
      ],
    },
  }),
  "/arxiv/api/query": `<feed><totalResults>1</totalResults><entry><id>http://arxiv.org/abs/2101.00001v1</id><title>Cleaner oil</title>
    <published>2021-01-02T00:00:00Z</published><summary>Refined whale oil leaves lighthouse lenses clear for a month.</summary>
    <author><name>Ci Aldermoor</name></author></entry></feed>`,
  "/semantic_scholar/graph/v1/paper/search": '{"total":0,"offset":0}',
  "/pubmed/entrez/eutils/esearch.fcgi": JSON.stringify({ esearchresult: { ERROR: "Search Backend failed" } }),
  "/europe_pmc/europepmc/webservices/rest/search": JSON.stringify({ hitCount: 0, resultList: { result: [] } }),
};

it("a report names the works that it cites, and marks a retracted one even if only one source knows of it", async () => {
  const service = await startLoopback((request, response) => {
    const body = ANSWERS[new URL(request.url ?? "/", "http://service").pathname];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/plain; charset=utf-8" }).end(body ?? "no");
  });
  onTestFinished(() => service.close());
  const addresses = Object.fromEntries(SOURCES.map((id) => [`${id.toUpperCase()}_BASE_URL`, `${service.url}/${id}`]));
  // No name resolves, so that only the abstracts can be read.
  const resolve = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
  const parts = { network: { resolve } };
  const dossier = await openDossier({ environment: { SOURCES: SOURCES.join(","), ...addresses }, parts });

  const { id } = await dossier.start({ question: QUESTION });
  const { report } = await dossier.finish(id);

  expect(report?.markdown).toMatch(
    new RegExp(
      `- \\*\\*RETRACTED\\*\\* Soot on lighthouse lenses, Ada Penrose, Bo Tolmere, Journal of Lamps, 2019, <https://doi.org/${DOI}>`,
    ),
  );
  expect(report?.markdown).toMatch(/Whale oil covers lighthouse lenses with soot within nine nights\. \[\d\] \*\*RETRACTED\*\*/);
  expect(report?.markdown).toMatch(/- Cleaner oil, Ci Aldermoor, arXiv, 2021, <https:\/\/arxiv\.org\/abs\/2101\.00001>/);
  const searches = report?.ledger.filter(({ what }) => what === "search").map(({ source, outcome, failure }) => [source, outcome, failure]);
  expect(searches).toEqual([
    ["openalex", "found", null],
    ["crossref", "found", null],
    ["arxiv", "found", null],
    ["semantic_scholar", "nothing", null],
    ["pubmed", "failed", "unreachable"],
    ["europe_pmc", "nothing", null],
  ]);
  expect(report?.sources.map(({ publication }) => publication?.doi ?? publication?.arxivId).toSorted()).toEqual([DOI, "2101.00001"]);
});
