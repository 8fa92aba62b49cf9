import { expect, it, onTestFinished } from "vitest";
import type { SearchSource } from "../../../src/domain/ports/sources.ts";
import type { Publication } from "../../../src/domain/report.ts";
import { TIME_LIMITS } from "../../../src/network/send-request.ts";
import { makePdf } from "../../documents/pdf/make-pdf.ts";
import { type Answer, type LoopbackServer, startLoopback } from "../../fakes/loopback-server.ts";
import { meeting } from "../../helpers/meeting.ts";
import { openDossier, type TestDossier } from "../../helpers/open-dossier.ts";
import { foundPage, pageSource } from "../../helpers/page-source.ts";
import { finding } from "../../helpers/search-answer.ts";

const HOSTS = Array.from({ length: 12 }, (_, i) => `doc${i}.example`);
const PAGE =
  "<!doctype html><html><head><title>Lamps</title></head><body><p>The lamp of Aldermoor burns whale oil, and it is lit every evening.</p></body></html>";

async function serve(answer: Answer): Promise<LoopbackServer & { port: string; hosts: string }> {
  const server = await startLoopback((request, response) => {
    response.setHeader("content-type", "text/html");
    return answer(request, response);
  });
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);
  return { ...server, port, hosts: HOSTS.map((host) => `${host}:${port}`).join(",") };
}

/** Opens a service that searches these sources, for which all names of the tests are this machine. */
function openWith(server: { readonly hosts: string }, sources: readonly SearchSource[], limits?: typeof TIME_LIMITS) {
  const network = { resolve: async () => [{ address: "127.0.0.1", family: 4 }], ...(limits && { limits }) };
  const environment = { SOURCES: sources.map(({ id }) => id).join(), ALLOWED_PRIVATE_HOSTS: server.hosts };
  return openDossier({ parts: { sources, network }, environment });
}

async function ask(dossier: TestDossier, limits = {}) {
  const run = await dossier.finish((await dossier.start({ question: "What burns in the lamp of Aldermoor?", limits })).id);
  const ledger = run.report?.ledger ?? [];
  return { run, downloads: ledger.filter(({ what }) => what === "download"), sources: run.report?.sources ?? [] };
}

it("downloads twelve documents of twelve hosts at the same time", async () => {
  const meet = meeting(12);
  const server = await serve(async (_, response) => {
    await meet();
    response.end(PAGE);
  });
  const urls = HOSTS.map((host) => `http://${host}:${server.port}/`);
  const dossier = await openWith(server, [pageSource("pages", urls)]);
  const { downloads } = await ask(dossier);
  expect(downloads.map(({ outcome, detail }) => [outcome, detail])).toEqual(Array(12).fill(["found", null]));
  expect(server.peak()).toBe(12);
});

it("says in the ledger, in the event and in the report that a text is only a part of its PDF", async () => {
  const line = "The lamp of Aldermoor burns whale oil, and it is lit every evening.";
  const pdf = makePdf([{ texts: [{ x: 72, y: 700, text: line }] }, { texts: [], options: { picture: true } }]);
  const server = await serve((_, response) => void response.setHeader("content-type", "application/pdf").end(pdf));
  const dossier = await openWith(server, [pageSource("pages", [`http://${HOSTS[0]}:${server.port}/lamps.pdf`])]);
  const { run, downloads } = await ask(dossier);
  const incomplete = "Only a part of its PDF: page 2 of 2 without a text layer.";
  expect(downloads).toMatchObject([{ outcome: "found", detail: incomplete }]);
  expect(run.report?.markdown).toContain(incomplete);
  expect(await dossier.events(run.id)).toContainEqual(expect.objectContaining({ type: "document-read", incomplete }));
});

it("limits its requests to one host, and lets no slow host delay another", async () => {
  const { promise: everyOther, resolve: everyOtherIsAsked } = Promise.withResolvers<void>();
  let others = 0;
  let open = 0;
  let most = 0;
  // The slow host answers only after all of the others were asked.
  const server = await serve(async (request, response) => {
    const isSlow = request.headers.host?.startsWith("doc0.") === true;
    if (!isSlow && ++others === 6) everyOtherIsAsked();
    if (isSlow) {
      most = Math.max(most, ++open);
      await everyOther;
      open -= 1;
    }
    response.end(PAGE);
  });
  const slow = Array.from({ length: 6 }, (_, i) => `http://doc0.example:${server.port}/${i}`);
  const quick = HOSTS.slice(1, 7).map((host) => `http://${host}:${server.port}/`);
  const source = pageSource("pages", [...slow, ...quick]);
  const dossier = await openWith(server, [source], TIME_LIMITS);
  const { downloads } = await ask(dossier);
  expect(downloads.filter(({ outcome }) => outcome === "found").length).toBe(12);
  expect(most).toBe(2);
});

const UNPUBLISHED = { authors: [], doi: null, arxivId: null, pmid: null, venue: null, licence: null };
const PUBLICATION: Publication = { ...UNPUBLISHED, retracted: false, fullTextUrl: null };

it("reads the open copy of a work, or its page if the copy is unavailable", async () => {
  const server = await serve((request, response) => {
    response.statusCode = request.url === "/gone.pdf" ? 404 : 200;
    response.end(PAGE);
  });
  const host = `http://doc0.example:${server.port}`;
  const work = (page: string, fullTextUrl: string) => ({
    ...foundPage("works", host + page),
    publication: { ...PUBLICATION, fullTextUrl },
  });
  const search = finding(() => [work("/one", `${host}/open.pdf`), work("/two", `${host}/gone.pdf`), work("/three", "ftp://127.0.0.1/x")]);
  const source = { id: "works", kind: "scholar" as const, title: "Works", search };
  const dossier = await openWith(server, [source]);
  const { downloads, sources } = await ask(dossier);
  expect(downloads.map(({ target, outcome, failure }) => [target, outcome, failure])).toEqual(
    expect.arrayContaining([
      [`${host}/open.pdf`, "found", null],
      [`${host}/gone.pdf`, "failed", "not_found"],
      [`${host}/two`, "found", null],
      ["ftp://127.0.0.1/x", "failed", "forbidden_address"],
      [`${host}/three`, "found", null],
    ]),
  );
  expect(sources.map(({ status }) => status)).toEqual(["read", "read", "read"]);
  expect(server.requests.toSorted()).toEqual(["/gone.pdf", "/open.pdf", "/three", "/two"]);
});

it("reads a text at its other address if the first one fails, and reports both results", async () => {
  const server = await serve((request, response) => {
    response.statusCode = request.url?.startsWith("/gone") ? 410 : 200;
    response.end(PAGE);
  });
  const same = {
    title: "How the lamp of Aldermoor is lit",
    snippet: "A keeper tells how the lamp of Aldermoor is lit every evening, what it burns, and how its lens is kept clean of soot.",
    publication: { ...PUBLICATION, doi: "10.5555/lamp" },
  };
  const [gone, there] = [`http://doc0.example:${server.port}/gone`, `http://doc1.example:${server.port}/there`];
  const source = pageSource("works", [gone, there], same);
  const dossier = await openWith(server, [source]);
  const { run, downloads, sources } = await ask(dossier);
  expect(downloads.map(({ target, outcome, failure }) => [target, outcome, failure])).toEqual([
    [gone, "failed", "not_found"],
    [there, "found", null],
  ]);
  expect(sources.map(({ url, status }) => [url, status]).toSorted()).toEqual([
    [gone, "failed"],
    [there, "read"],
  ]);
  const failed = (await dossier.events(run.id)).find(({ type }) => type === "document-failed");
  expect(failed).toMatchObject({ url: gone, fallback: "alternative" });
  const { downloads: capped } = await ask(dossier, { downloads: 1 });
  expect(capped.map(({ target }) => target)).toEqual([gone]);
});

it("counts every source that found an address, and shows the address once", async () => {
  const server = await serve((_, response) => void response.end(PAGE));
  const url = (i: number) => `http://${HOSTS[i]}:${server.port}/`;
  const first = pageSource("first", [url(0), url(1), url(2)]);
  const second = pageSource("second", [url(2), url(1)]);
  const dossier = await openWith(server, [first, second]);
  const { run, sources } = await ask(dossier);
  expect(sources.map((source) => source.url)).toEqual([url(2), url(1), url(0)]);
  const found = (await dossier.events(run.id)).filter(({ type }) => type === "source-found");
  expect(found.length).toBe(3);
  expect(run.report?.ledger.filter(({ what }) => what === "search").map(({ results }) => results)).toEqual([3, 2]);
});

it.each(["What burns in the lamp of Aldermoor?", "奥尔德穆尔灯塔的灯里烧什么？"])(
  "reads all addresses of the user, also if they are more than the documents of the depth: %s",
  async (question) => {
    const server = await serve((_, response) => void response.end(PAGE));
    const urls = HOSTS.slice(0, 8).map((host) => `http://${host}:${server.port}/`);
    const source = pageSource("pages", [`http://${HOSTS[9]}:${server.port}/`]);
    const dossier = await openWith(server, [source]);
    const { id } = await dossier.start({ question, urls, depth: "quick", since: "2020-01-01" });
    const run = await dossier.finish(id);
    const downloads = (run.report?.ledger ?? []).filter(({ what }) => what === "download");
    expect(downloads.map(({ target, outcome }) => [target, outcome]).toSorted()).toEqual(urls.map((url) => [url, "found"]));
  },
);
