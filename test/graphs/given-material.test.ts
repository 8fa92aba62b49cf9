import { expect, it, onTestFinished } from "vitest";
import { replay } from "../../src/compose.ts";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import { type ResearchRequest, ResearchRequestSchema } from "../../src/domain/request.ts";
import type { UploadedFile } from "../../src/domain/upload.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { roleScript } from "../fakes/model-server/role-script.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { done, plan, verdict } from "../fakes/scripted-roles.ts";
import { pdfOf } from "../helpers/made-files.ts";
import { type OpenOptions, openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { finding } from "../helpers/search-answer.ts";
import { openWithModel } from "../helpers/with-model.ts";

const LAMP = "The lamp of Tolmere burns colza oil and was first lit in 1874.";
const WALL = "The harbour wall of Tolmere is four hundred metres long.";
const KEEPER = "托尔米尔的守塔人名叫李明。";
const pdf = (name: string, line: string, font: "plain" | "chinese" = "plain"): UploadedFile => {
  return { name, mediaType: "application/pdf", bytes: pdfOf([line], font) };
};
const THREE = [pdf("lamp.pdf", LAMP), pdf("wall.pdf", WALL), pdf("守塔人.pdf", KEEPER, "chinese")];
const QUESTION = "When was the lamp of Tolmere first lit?";

type Asked = Partial<ResearchRequest> & { question: string };

async function finish({ dossier, documents = [] }: { dossier: TestDossier; documents?: readonly UploadedFile[] }, request: Asked) {
  const { id } = await dossier.runs.start(TENANT, ResearchRequestSchema.parse(request), { documents });
  const run = await dossier.finish(id);
  const ledger = run.report?.ledger ?? [];
  return {
    run,
    ledger,
    downloads: ledger.filter(({ what }) => what === "download"),
    quotes: run.report?.citations.map(({ quote }) => quote),
  };
}

async function expectReplay(dossier: TestDossier, runId: string): Promise<void> {
  expect((await replay(await readRecording(await dossier.recordingLines(runId)))).difference).toBeNull();
}

const page = (text: string, title: string) =>
  `<html><head><title>${title}</title></head><body><article><p>${text}</p></article></body></html>`;

/** Pages under names that the network guard lets through; all other names and addresses of this machine are private. */
async function openPages(options: OpenOptions = {}) {
  const server = await startLoopback((request, response) => {
    const path = request.url ?? "";
    if (path.startsWith("/to?")) return void response.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end();
    const text =
      path === "/灯.html" || path === "/%E7%81%AF.html"
        ? "奥斯的灯塔建于1901年，灯里烧的是煤油。"
        : "The lighthouse of Oss was built in 1901 and burns kerosene.";
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page(text, "Lamps of Oss"));
  });
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);
  const resolve = async (name: string) => [{ address: name.startsWith("inner.") ? "10.0.0.1" : "127.0.0.1", family: 4 }];
  const environment = { ALLOWED_PRIVATE_HOSTS: `pages.example:${port}`, ...options.environment };
  return { server, at: `http://pages.example:${port}`, options: { ...options, parts: { network: { resolve } }, environment } };
}

it("addresses of the request are read before what is found, and quoted; a forbidden one is a line of the ledger", async () => {
  const { server, at, options } = await openPages();
  const dossier = await openDossier(options);
  const forbidden = [
    "http://inner.example/",
    `${at}/to?${encodeURIComponent("http://127.0.0.1/secret")}`,
    `${at}/to?${encodeURIComponent("http://169.254.169.254/")}`,
  ];
  const urls = [`${at}/lamps.html`, ...forbidden, `${at}/灯.html`];
  const { run, downloads, quotes } = await finish({ dossier }, { question: "When was the lighthouse of Oss built?", urls });
  expect(run.status).toBe("succeeded");
  expect(quotes).toContain("The lighthouse of Oss was built in 1901 and burns kerosene.");
  expect(downloads.slice(0, urls.length).map(({ source, failure }) => `${source} ${failure}`)).toEqual([
    "urls null",
    ...forbidden.map(() => "urls forbidden_address"),
    "urls null",
  ]);
  expect(server.requests.filter((path) => path.includes("secret") && !path.startsWith("/to?"))).toEqual([]);
  expect(run.report?.sources[0]).toMatchObject({ title: "Lamps of Oss", url: urls[0], foundBy: "urls", status: "read" });
  await expectReplay(dossier, run.id);
});

it.each(["file:///etc/passwd", "example.org", `https://example.org/${"a".repeat(8_000)}`, "http://我:秘密@example.org/"])(
  "an address that is none is refused with the request: %s",
  (url) => {
    const { success, error } = ResearchRequestSchema.safeParse({ question: "What?", urls: [url] });
    expect([success, error?.issues[0]?.path]).toEqual([false, ["urls", 0]]);
  },
);

/** Cites the passage that says when the lamp was lit. */
function writes(request: SeenRequest) {
  const shown = contentsOf(request, "user").join("\n");
  const id = [...shown.slice(0, shown.indexOf(LAMP)).matchAll(/\bP\d+\b/g)].at(-1)?.[0] ?? "P1";
  return say.text(`它于1874年首次点亮。 [${id}: "was first lit in 1874"]`);
}

it("a model decides with the documents among its sources, searches them whatever kinds its queries name, and quotes them", async () => {
  const told: string[] = [];
  const script: Script = (request) => {
    if (!offeredTools(request).includes("search")) return writes(request);
    told.push(contentsOf(request, "user").join("\n"));
    return say.toolCalls([{ name: "search", arguments: { queries: [{ text: "lamp Tolmere first lit", kinds: ["web", "corpus"] }] } }]);
  };
  // With an optional tool the model is asked what to search for.
  const tools = [httpTool("tool", "http://127.0.0.1:9")];
  const { dossier, model } = await openWithModel(script, { parts: { tools } });
  const { run, ledger, quotes } = await finish({ dossier, documents: THREE }, { question: QUESTION, otherSources: true });
  expect(quotes).toEqual(["was first lit in 1874"]);
  expect(ledger.filter(({ what }) => what === "search")[0]).toMatchObject({ source: "documents", outcome: "found" });
  expect(told.join()).toMatch(/documents/);
  expect(model.refused).toEqual([]);
  expect((await replay(await readRecording(await dossier.recordingLines(run.id)), { tools })).difference).toBeNull();
});

it("beside a relevant document those in another language are read and sent, or the ledger names them", async () => {
  const { dossier, model } = await openWithModel(() => say.text("NO ANSWER: nothing"), { parts: { tools: [] } });
  const { run, downloads } = await finish({ dossier, documents: THREE }, { question: QUESTION });
  const read = downloads.filter(({ outcome, source }) => outcome === "found" && source === "documents");
  expect(read.length).toBeGreaterThanOrEqual(2);
  expect(contentsOf(model.requests.at(-1)!, "user").join()).toContain(KEEPER);
  await expectReplay(dossier, run.id);
  const short = await finish({ dossier, documents: THREE }, { question: QUESTION, limits: { downloads: 1 } });
  const given = short.downloads.filter(({ source }) => source === "documents");
  expect(given.map(({ failure, detail }) => [failure, detail?.split("; ")[1]])).toEqual([
    [null, undefined],
    ["download_cap", "not read: 1."],
  ]);
});

it("the ledger says how many of many relevant documents of the user are not read", async () => {
  const documents = Array.from({ length: 22 }, (_, at) => {
    const line = `托尔米尔的灯塔第${at}层有${at * 7 + 3}盏灯，看守是第${at * 11}号人员，窗户共${at * 13}扇。`;
    return { name: `第${at}层.md`, mediaType: "text/markdown", bytes: Buffer.from(line) };
  });
  const { dossier } = await openWithModel(() => say.text("NO ANSWER: nothing"), { parts: { tools: [] } });
  for (const files of [documents.slice(0, 11), documents.slice(11)])
    await dossier.threads.add({ tenant: TENANT, threadId: "T" }, { files, urls: [] }, new AbortController().signal);
  const { ledger, downloads } = await finish({ dossier }, { question: "托尔米尔的灯塔每层有多少盏灯？", threadId: "T" });
  expect(downloads.filter(({ source }) => source === "documents")).toHaveLength(12);
  expect(ledger.flatMap(({ detail, source }) => (source === "documents" && detail ? [detail] : []))).toEqual([
    "At most 12 documents of the user are read at once; not read: 10.",
  ]);
});

it.each(["Summarize this.", "请总结一下。"])(
  "%s is about the documents of the user: they are read and sent, and nothing else is asked",
  async (question) => {
    const asked: string[] = [];
    const source: SearchSource = {
      id: "pages",
      kind: "web",
      title: "pages",
      search: finding(({ text }) => {
        asked.push(text);
        return [];
      }),
    };
    const { dossier, model } = await openWithModel((request) => writes(request), {
      parts: { tools: [], sources: [source] },
      environment: { SOURCES: "pages" },
    });
    const { run, quotes } = await finish({ dossier, documents: THREE }, { question });
    expect(quotes).toEqual(["was first lit in 1874"]);
    for (const text of [LAMP, WALL, KEEPER]) expect(contentsOf(model.requests[0]!, "user").join()).toContain(text);
    expect([asked, model.requests.length, run.usage.downloads]).toEqual([[], 1, 3]);
  },
);

const agentSays = (request: SeenRequest) => {
  const results = request.body.messages.filter(({ role }) => role === "tool").length;
  const given = contentsOf(request, "user").join("\n");
  const id = /\[(S\d+)\] lamp\.pdf|\[(S\d+)\] (?=[^\n]*lamp)/.exec(given)?.slice(1).find(Boolean) ?? "S1";
  if (results === 0) return say.toolCalls([{ name: "read_document", arguments: { id } }]);
  return say.text(`它于1874年首次点亮。 [${id}: "was first lit in 1874"]`);
};

it("an agent is told what was given, reads it by its id without a search, and cites it", async () => {
  const { dossier, model } = await openWithModel(agentSays, { parts: { tools: [] } });
  const { run, ledger, quotes } = await finish(
    { dossier, documents: [...THREE, text("lamp.txt"), text("灯.txt")] },
    { question: QUESTION, graph: "agent" },
  );
  expect(run.error).toBeNull();
  expect(ledger).toContainEqual(expect.objectContaining({ source: "documents", outcome: "reused" }));
  expect(quotes).toEqual(["was first lit in 1874"]);
  const first = contentsOf(model.requests[0] as SeenRequest, "user").at(-1) ?? "";
  expect(first).toMatch(/\[S1\] .*\n\[S2\] .*\n\[S3\] /);
  expect(first).not.toContain("upload:");
  await expectReplay(dossier, run.id);
});

it("the agents of a team are told what was given, and cite it", async () => {
  const script: Script = (request) => {
    const isChild = request.body.tools !== undefined;
    if (isChild) return agentSays(request);
    const shown = contentsOf(request, "user").join("\n");
    return say.text(`它于1874年首次点亮。 [${/\bP\d+\b/.exec(shown)?.[0]}: "was first lit in 1874"]`);
  };
  const { dossier } = await openWithModel(script, { parts: { tools: [] } });
  const team = {
    pattern: "concurrent",
    children: [
      { id: "a", prompt: "Read." },
      { id: "b", prompt: "Read too." },
    ],
  } as never;
  const { run, quotes } = await finish({ dossier, documents: THREE }, { question: QUESTION, graph: "team", team });
  expect(run.error).toBeNull();
  expect(quotes?.[0]).toBe("was first lit in 1874");
  await expectReplay(dossier, run.id);
});

it("the todos of a research read what was given, without a model too", async () => {
  const dossier = await openDossier();
  const keyless = await finish(
    { dossier, documents: THREE },
    { question: "When was the lamp of Tolmere first lit? 托尔米尔的守塔人叫什么名字？", graph: "research" },
  );
  expect(keyless.quotes?.join("\n")).toContain("was first lit in 1874");
  await expectReplay(dossier, keyless.run.id);
  const script = roleScript({
    "planner-response": [plan([{ id: "T1", description: QUESTION }])],
    "executor-response": [done()],
    "verifier-response": [verdict(true)],
    "summary-response": ({ request }) => {
      const shown = contentsOf(request, "user").join("\n");
      const id = [...shown.slice(0, shown.indexOf(LAMP)).matchAll(/\bP\d+\b/g)].at(-1)?.[0];
      return say.component("summary-response", {
        answer: `它于1874年首次点亮。 [${id}: "was first lit in 1874"]`,
        answers: "fully",
        missing: [],
      });
    },
    tools: [say.text("Enough.")],
    text: ({ request }) => writes(request),
  });
  const { dossier: modelled } = await openWithModel(script, { parts: { tools: [] } });
  const { run, quotes } = await finish({ dossier: modelled, documents: THREE }, { question: QUESTION, graph: "research" });
  expect(quotes?.[0]).toBe("was first lit in 1874");
  await expectReplay(modelled, run.id);
});

it("a server that is to stay off the network refuses addresses, also those of a thread, and reads them if SOURCES says so", async () => {
  const { server, at, options } = await openPages({ environment: { SOURCES: "corpus" } });
  const asked = { question: "奥斯的灯塔建于哪一年？", urls: [`${at}/灯.html`] };
  const online = await openDossier({ ...options, environment: { ...options.environment, SOURCES: "corpus,urls" } });
  await online.threads.add({ tenant: TENANT, threadId: "T" }, { files: [], urls: asked.urls }, new AbortController().signal);
  await online.close(0);
  const offline = await openDossier({ ...options, dir: online.dir });
  await expect(offline.start(asked)).rejects.toMatchObject({ code: "unknown_source", faults: [{ path: "/urls" }] });
  const adding = offline.threads.add({ tenant: TENANT, threadId: "U" }, { files: THREE, urls: asked.urls }, new AbortController().signal);
  await expect(adding).rejects.toMatchObject({ code: "unknown_source", faults: [{ path: "/urls" }] });
  expect(await offline.threads.list(TENANT, "U")).toEqual({ documents: [], urls: [] });
  await expect(offline.start({ question: asked.question, threadId: "T" })).rejects.toMatchObject({ code: "unknown_source" });
  expect(server.requests).toEqual([]);
  await offline.close(0);
  const again = await openDossier({ ...options, dir: online.dir, environment: { ...options.environment, SOURCES: "corpus,urls" } });
  const { quotes } = await finish({ dossier: again }, { question: asked.question, threadId: "T" });
  expect(quotes?.join()).toContain("建于1901年");
});

const text = (name: string): UploadedFile => ({ name, mediaType: "text/plain", bytes: new TextEncoder().encode(LAMP) });

it("says in the ledger that two files have the same text, which is read once", async () => {
  const dossier = await openDossier();
  const { run, downloads } = await finish(
    { dossier, documents: [text("lamp.txt"), text("灯.txt"), text("lamp.txt")] },
    { question: QUESTION, sources: ["documents"] },
  );
  expect(
    downloads
      .filter(({ source }) => source === "documents")
      .map(({ target, outcome, detail }) => [decodeURI(target.slice(72)), outcome, detail]),
  ).toEqual(
    expect.arrayContaining([
      ["灯.txt", "reused", "The same text as lamp.txt, which is read once."],
      ["lamp.txt", "found", null],
    ]),
  );
  expect(downloads).toHaveLength(2);
  expect(run.usage.downloads).toBe(1);
  expect(run.report?.markdown).toContain("The same text as lamp.txt");
  const { documents } = await dossier.threads.list(TENANT, run.threadId);
  expect(documents.map(({ name, otherNames }) => [name, otherNames])).toEqual([["lamp.txt", ["灯.txt"]]]);
  await expectReplay(dossier, run.id);
  await dossier.threads.deleteDocument(TENANT, run.threadId, documents[0]?.contentHash ?? "");
  await dossier.threads.add(
    { tenant: TENANT, threadId: run.threadId },
    { files: [text("lamp.txt")], urls: [] },
    new AbortController().signal,
  );
  expect((await dossier.threads.list(TENANT, run.threadId)).documents.map(({ otherNames }) => otherNames)).toEqual([[]]);
});
