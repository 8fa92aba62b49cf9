import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import type { ResearchRequest } from "../../src/domain/request.ts";
import type { Run } from "../../src/domain/run.ts";
import { makeHome } from "../helpers/open-dossier.ts";
import { runCli } from "../helpers/run-cli.ts";
import { startService, type TestService } from "../helpers/start-service.ts";
import { askWith, type GivenFile } from "../helpers/uploading.ts";

/** A source outside, which finds something for every question. */
const OUTSIDE: SearchSource = {
  id: "outside",
  kind: "web",
  title: "Outside",
  search: async ({ text }) => ({ hits: [], gaps: null, sent: text }),
};

const FILE: readonly GivenFile[] = [["灯.txt", "The lamp of Tolmere burns colza oil. 托尔米尔的灯烧菜籽油。"]];
const QUESTION = "What does the lamp of Tolmere burn?";

const searched = ({ report }: Run): string[] => [
  ...new Set((report?.ledger ?? []).flatMap(({ what, source }) => (what === "search" ? [source] : []))),
];

async function ask(service: TestService, request: Partial<ResearchRequest> = {}, files = FILE): Promise<string[]> {
  const asked = { question: QUESTION, ...request };
  const run = files.length > 0 ? await askWith(service, asked, files) : await service.finish((await service.start(asked)).id);
  expect(run.status).toBe("succeeded");
  return searched(run);
}

const withOutside = { parts: { sources: [OUTSIDE], tools: [] } };
/** Without `CORPUS_DIR` the corpus is Dossier's own documentation. */
const ownDocs = { ...withOutside, environment: { CORPUS_DIR: "" } };

it("attached files alone are searched, also where a request names the corpus and that is Dossier's documentation", async () => {
  const service = await startService(ownDocs);
  expect(await ask(service)).toEqual(["documents"]);
  expect(await ask(service, { question: "托尔米尔的灯烧什么油？" })).toEqual(["documents"]);
  expect(await ask(service, { sources: ["corpus"] })).toEqual(["documents"]);
  expect(await ask(service, { sources: ["corpus", "outside"] })).toEqual(["documents", "outside"]);
  expect(await ask(service, { otherSources: true })).toEqual(["documents", "outside"]);
  expect(await ask(service, {}, [])).toEqual(["corpus", "outside"]);
  expect(await ask(service, { sources: ["corpus"] }, [])).toEqual(["corpus"]);
});

it("a follow-up in the thread of attached files searches these alone", async () => {
  const service = await startService(ownDocs);
  expect(await ask(service, { threadId: "T" })).toEqual(["documents"]);
  expect(await ask(service, { threadId: "T", question: "Which oil is it?" }, [])).toEqual(["documents"]);
});

it("given addresses alone are read, and searching is up to the request", async () => {
  const service = await startService(ownDocs);
  const urls = ["https://example.org/a"];
  expect(await ask(service, { urls }, [])).toEqual([]);
  expect(await ask(service, { urls, otherSources: true }, [])).toEqual(["outside"]);
});

it("a folder that the operator names is searched beside attached files, and alone unless SOURCES names others", async () => {
  const listed = await startService(withOutside);
  expect(await ask(listed, {}, [])).toEqual(["corpus", "outside"]);
  expect(await ask(listed)).toEqual(["documents", "corpus"]);
  const alone = await startService({ ...withOutside, environment: { SOURCES: "" } });
  expect(await ask(alone, {}, [])).toEqual(["corpus"]);
  expect(await ask(alone, { sources: ["outside"] }, [])).toEqual(["outside"]);
  expect((await (await fetch(`${alone.url}/limits`)).json()) as object).toMatchObject({ ownFolder: true });
});

it("without CORPUS_DIR and documentation, as in the image, there is no corpus, and SOURCES may not name it", async () => {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { DATA_DIR: join(home, "data") };
  const before = process.cwd();
  process.chdir(home);
  onTestFinished(() => process.chdir(before));
  const service = await startService({ ...ownDocs, environment: { CORPUS_DIR: "", SOURCES: "outside,urls" }, dir: home });
  expect(await ask(service)).toEqual(["documents"]);
  const { sources } = (await (await fetch(`${service.url}/sources`)).json()) as { sources: object[] };
  expect(sources).toContainEqual(expect.objectContaining({ id: "corpus", configured: false, setting: "CORPUS_DIR" }));
  expect(await (await fetch(`${service.url}/corpus`)).json()).toMatchObject({ documents: [], total: 0 });
  const refused = await runCli(["ask", QUESTION], { ...env, SOURCES: "corpus" });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("SOURCES names corpus, which needs CORPUS_DIR")]);
  const own = await makeHome({ "lamp.md": "The lamp of Tolmere burns colza oil." });
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const named = await runCli(["ask", QUESTION, "--corpus", join(own, "corpus")], { ...env, SOURCES: "wikipedia" });
  expect(named.stdout).toContain("burns colza oil");
});
