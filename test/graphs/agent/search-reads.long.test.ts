import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";
import { FILLER_ZH, type LibraryPage, shelf, startLibrary } from "./library.ts";

const search = (...names: string[]) => say.toolCalls(names.map((query) => ({ name: "search", arguments: { query } })));
const resultsOf = (request: SeenRequest): string[] => contentsOf(request, "tool");
/** The id under which a text was shown last. */
const idOf = (shown: string, text: string): string => [...shown.slice(0, shown.indexOf(text)).matchAll(/\[(S\d+)\]/g)].at(-1)?.[1] ?? "S99";

const FACT = "The shipyard of Aldermoor has 312 workers.";
const FACT_ZH = "奥尔德穆尔造船厂有三百一十二名工人。";

it.each([
  ["standard", "奥尔德穆尔造船厂有多少工人？", "奥尔德穆尔造船厂", FACT_ZH],
  [undefined, "How many workers does the shipyard of Aldermoor have?", "Aldermoor", FACT],
] as const)("at depth %s a search reads its best six pages and shows the places that fit: %s", async (depth, question, name, fact) => {
  const pages = shelf(name, 9, (at) => (at === 0 ? fact : ""), name === "Aldermoor" ? undefined : FILLER_ZH);
  const library = await startLibrary(pages);
  let shown = "";
  const script = (request: SeenRequest) => {
    shown = resultsOf(request).join("\n");
    return shown === "" ? search(name) : say.text(`${fact} [${idOf(shown, fact)}: ${JSON.stringify(fact)}]`);
  };
  const agent = await startAgent(script, { environment: library.environment });
  const { run } = await agent.ask(question, depth === undefined ? {} : { depth });
  expect(run).toMatchObject({ status: "succeeded", usage: { modelCalls: 2, downloads: 6 } });
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([fact]);
  expect(shown).toContain("The best 8: 6 of them read, with the places that fit best.\n");
  expect(shown.match(/First lines: /g)).toHaveLength(2);
  expect(library.read.toSorted()).toHaveLength(6);
  expectNoRefusal(agent);
  await expectReplay({ dossier: agent.dossier, run });
});

it("searches side by side and a call beside them that reads share each download, and share what the run may read", async () => {
  const library = await startLibrary([
    ...shelf("Aldermoor and Brinsea", 3, (at) => `Both have ${at} cranes.`),
    ...shelf("Aldermoor", 5, (at) => `It has ${at} docks.`),
    ...shelf("Brinsea", 5, (at) => `It has ${at} ferries.`),
  ]);
  const steps = [
    search("Report Aldermoor"),
    say.toolCalls([
      { name: "search", arguments: { query: "docks Aldermoor" } },
      { name: "search", arguments: { query: "ferries Brinsea" } },
      { name: "search", arguments: { query: "ferries Brinsea" } },
      { name: "read_document", arguments: { id: "S8" } },
    ]),
    search("Reports Brinsea"),
    say.toolCalls([{ name: "read_document", arguments: { id: "S8", find: "docks" } }]),
    say.text("It is known."),
  ];
  const agent = await startAgent(steps, { environment: library.environment });
  const { run } = await agent.ask("Which reports are there of Aldermoor and Brinsea?", { depth: "standard", limits: { downloads: 9 } });
  expect(run).toMatchObject({ status: "succeeded", usage: { downloads: 9 } });
  expect(library.read).toHaveLength(new Set(library.read).size);
  expect(library.read).toHaveLength(9);
  const [first, second] = [agent.server.requests[1], agent.server.requests[2]].map((request) => resultsOf(request!));
  expect(first?.[0]).not.toContain("may read no more");
  // Two of nine were left for the searches; what the run had read is shown again at no cost.
  expect(second?.[1]).toMatch(/ [1-6] of them read, with the places that fit best\. You may read no more sources\./);
  expect(second?.[3]).toBe("You made this very call twice; its result stands above.");
  expect(second?.[4]).toContain("Report");
  const ledger = run.report?.ledger ?? [];
  expect(ledger.filter(({ what, outcome }) => what === "download" && outcome === "found")).toHaveLength(9);
  await expectReplay({ dossier: agent.dossier, run });
});

it("reads no more documents than those of the depth, whatever the downloads", async () => {
  const names = ["Aldermoor", "奥尔德穆尔", "Corve"];
  const library = await startLibrary(names.flatMap((name) => shelf(name, 8, () => `${name} has a dock.`)));
  const agent = await startAgent([...names.map((name) => search(name)), say.text("I do not know.")], { environment: library.environment });
  const { run } = await agent.ask(`Which reports are there of ${names.join(", ")}?`, { depth: "standard", limits: { downloads: 40 } });
  expect([run.usage.downloads, library.read.length]).toEqual([12, 12]);
  const shown = resultsOf(agent.server.requests.at(-1)!);
  const said = shown.map((result) => result.includes("You may read no more sources."));
  expect(said).toEqual([false, true, true]);
  await expectReplay({ dossier: agent.dossier, run });
});

it("reads nothing, and says so, if the search took the time of the round", async () => {
  const library = await startLibrary(shelf("Aldermoor", 3, () => FACT));
  const waits = (_: string, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  const slow = { id: "slow", kind: "web" as const, title: "slow", search: waits as never };
  const environment = { ...library.environment, SOURCES: "searxng,slow", ROUND_SECONDS: "8" };
  const agent = await startAgent([search("Aldermoor"), say.text("I do not know.")], { environment, parts: { sources: [slow] } });
  const { run } = await agent.ask("What is Aldermoor?");
  expect([run.error, run.usage.downloads, library.read]).toEqual([null, 0, []]);
  expect(resultsOf(agent.server.requests.at(-1)!)[0]).toContain(
    "Not searched: slow (did not answer in time). No time was left to read any.",
  );
});

it("uses the text of its search result where a page cannot be read, once, and what hangs until the round's time is over", async () => {
  const told = "The shipyard of Aldermoor is told to have 312 workers.";
  const pages: LibraryPage[] = [
    { title: "Report 0 of Aldermoor", text: "", firstLines: told, answers: 404 },
    { title: "Report 1 of Aldermoor", text: "", firstLines: "Report 1 of Aldermoor hangs.", answers: "hang" },
    { title: "Report 2 of Aldermoor", text: FACT },
    { title: "Report 3 of Aldermoor", text: "", firstLines: " ", answers: 404 },
  ];
  const library = await startLibrary(pages);
  const script = (request: SeenRequest) => {
    const results = resultsOf(request);
    if (results.length < 2) return search(["shipyard Aldermoor", "workers Aldermoor"][results.length] ?? "");
    const shown = results.join("\n");
    return say.text(`It has 312 workers. [${idOf(shown, told)}: ${JSON.stringify(told)}]`);
  };
  const agent = await startAgent(script, { environment: { ...library.environment, ROUND_SECONDS: "15" } });
  const { run } = await agent.ask("How many workers does the shipyard of Aldermoor have, by the report?", { depth: "standard" });
  expect(run.error).toBeNull();
  const results = resultsOf(agent.server.requests.at(-1)!);
  expect(results[0]).toContain(`It could not be read; only this is known of it: ${told}`);
  expect(results[1]).toContain("It could not be read; what is known of it stands above.");
  expect(results[1]).not.toContain(told);
  expect(results[0]).toContain("1 of them read, with the places that fit best. Could not be read: 3.");
  expect(library.read.toSorted()).toEqual([0, 1, 2, 3]);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([told]);
  const failures = run.report?.ledger.flatMap(({ what, failure }) => (what === "download" ? [failure] : [])).toSorted();
  expect(failures).toEqual([null, "not_found", "not_found", "timeout"].toSorted());
  await expectReplay({ dossier: agent.dossier, run });
});
