import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { child, SUPERVISOR, startTeam } from "../team/team-under-test.ts";
import { type AgentUnderTest, startAgent } from "./agent-under-test.ts";
import { FILLER, FILLER_ZH, type LibraryPage, shelf, startLibrary } from "./library.ts";

const search = (query: string) => say.toolCalls([{ name: "search", arguments: { query } }]);
const resultsOf = ({ server }: AgentUnderTest): string[] => contentsOf(server.requests.at(-1)!, "tool");

const FACT = "The lamp of the user's page was first lit in 1874.";
const FACT_ZH = "用户的灯塔于1874年首次点亮。";

/** Pages 0 to 7 are found. 8 and 9 are given, and 10, which is not there. */
const pagesOf = (): LibraryPage[] => [
  ...shelf("Aldermoor", 8, (at) => `It has ${at} docks.`),
  { title: "Lamps", text: `${FILLER} ${FACT} ${FILLER}` },
  { title: "灯", text: `${FILLER_ZH}${FACT_ZH}${FILLER_ZH}` },
  { title: "", text: "", answers: 404 },
];
const GIVEN = [8, 9, 10];

it("an agent's first search reads what the user gave, before what it found and whatever it found", async () => {
  const library = await startLibrary(pagesOf());
  const urls = GIVEN.map(library.addressOf);
  const steps = [
    search("lamp 灯塔 Aldermoor"),
    search("docks Aldermoor"),
    say.text(`Lit in 1874. [S1: "first lit in 1874"] 点亮。 [S2: "于1874年首次点亮"]`),
  ];
  const agent = await startAgent(steps, { environment: library.environment });
  const { run } = await agent.ask("When was the lamp first lit? 灯塔何时点亮？", { urls, otherSources: true, limits: { downloads: 5 } });
  const [one = "", two = ""] = resultsOf(agent);
  expect(library.read.slice(0, 3).toSorted((a, b) => a - b)).toEqual(GIVEN);
  expect([library.read.length, run.usage.downloads]).toEqual([5, 5]);
  expect(one).toContain("The user gave addresses: 2 of 3 read, which come first. You may read no more sources.");
  expect(one).toMatch(/\[S1\] Lamps \(.*\n.*first lit in 1874/);
  expect(one).toContain(FACT_ZH);
  expect(one).toMatch(/\[S3\] page of 127\.0\.0\.1:\d+, path \/page\/10 \(given by the user\)\nIt could not be read: it is not there\.\n/);
  expect(two).not.toContain("The user gave");
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["first lit in 1874", "于1874年首次点亮"]);
  const ofUrls = run.report?.ledger.filter(({ source }) => source === "urls").map(({ failure }) => failure);
  expect(ofUrls).toEqual([null, null, "not_found"]);
  await expectReplay({ dossier: agent.dossier, run });
});

it("a search that finds nothing reads it too", async () => {
  const library = await startLibrary(pagesOf());
  const agent = await startAgent([search("科尔夫"), say.text("什么也没找到。")], { environment: library.environment });
  const { run } = await agent.ask("What is 科尔夫?", { urls: GIVEN.map(library.addressOf), depth: "quick" });
  expect(library.read.toSorted((a, b) => a - b)).toEqual(GIVEN);
  expect(resultsOf(agent)[0]).toContain("The user gave addresses: 2 of 3 read, which come first.");
  await expectReplay({ dossier: agent.dossier, run });
});

it("the ledger says of each address that was not read why it was not", async () => {
  const library = await startLibrary(pagesOf());
  const urls = [8, 9].map(library.addressOf);
  const silent = await startAgent([say.text("你好！")], { environment: library.environment });
  const { run } = await silent.ask("你好", { urls });
  const rowsOf = ({ report }: typeof run) => report?.ledger.map(({ target, failure, detail }) => [target, failure, detail]);
  const why = "No agent searched or read it by its id.";
  expect(rowsOf(run)).toEqual(urls.map((url) => [url, "not_read", why]));
  expect(run.usage.downloads).toBe(0);
  await expectReplay({ dossier: silent.dossier, run });
  const capped = await startAgent([search("Aldermoor"), say.text("It is known.")], { environment: library.environment });
  const asked = await capped.ask("What is Aldermoor?", { urls, limits: { downloads: 1 } });
  expect(library.read).toEqual([8]);
  expect(asked.run.report?.ledger.filter(({ source }) => source === "urls").map(({ target, failure }) => [target, failure])).toEqual([
    [urls[0], null],
    [urls[1], "download_cap"],
  ]);
});

it("the children of a team read it once together", async () => {
  const library = await startLibrary(pagesOf());
  const finds = (request: SeenRequest) => {
    const shown = contentsOf(request, "tool").join("\n");
    return shown === "" ? search("Aldermoor") : say.text('Lit in 1874. [S1: "first lit in 1874"]');
  };
  const does = { 甲: finds, b: finds, c: finds, [SUPERVISOR]: () => say.text("") };
  const team = await startTeam(does, { environment: library.environment });
  const urls = GIVEN.map(library.addressOf);
  const children = ["甲", "b", "c"].map((id) => child(id));
  const { run, asked } = await team.ask(
    "When was the lamp first lit?",
    { pattern: "concurrent", children },
    { urls, limits: { downloads: 7 } },
  );
  for (const at of GIVEN.slice(0, 2)) expect(library.read.filter((one) => one === at)).toHaveLength(1);
  expect(library.read.length).toBeLessThanOrEqual(7);
  for (const id of ["甲", "b", "c"]) expect(contentsOf(asked(id).at(-1)!, "tool").join("\n")).toContain(FACT);
  expect(run.report?.citations.map(({ quote }) => quote)).toContain("first lit in 1874");
  expect(run.report?.ledger.filter(({ failure }) => failure === "not_read")).toEqual([]);
  await expectReplay({ dossier: team.dossier, run });
});
