import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { type AgentUnderTest, startAgent } from "./agent-under-test.ts";
import { FILLER, FILLER_ZH, type LibraryPage, shelf, startLibrary } from "./library.ts";

const search = (query: string) => say.toolCalls([{ name: "search", arguments: { query } }]);
const resultsOf = ({ server }: AgentUnderTest): string[] => contentsOf(server.requests.at(-1)!, "tool");

it.each([
  ["Aldermoor", FILLER],
  ["奥尔德穆尔", FILLER_ZH],
])("a page that cannot be read takes no place of the search or the depth: %s", async (name, filler) => {
  const pages = shelf(name, 8, (at) => `${name}: ${at}.`, filler).map((page, at): LibraryPage => {
    return at < 6 ? { ...page, answers: 404, firstLines: at === 0 ? " " : page.title } : page;
  });
  const library = await startLibrary([...pages, ...shelf("Brinsea", 8, (at) => `It has ${at} docks.`)]);
  const agent = await startAgent([search(name), search("Brinsea"), say.text("It is known.")], { environment: library.environment });
  const { run } = await agent.ask(`What is ${name}?`, { depth: "standard", limits: { downloads: 30 } });
  const [one = "", two = ""] = resultsOf(agent);
  expect(one).toContain("The best 8: 2 of them read, with the places that fit best. Could not be read: 6.\n");
  expect(two).toContain("The best 8: 6 of them read");
  expect(run.usage.downloads).toBe(14);
  await expectReplay({ dossier: agent.dossier, run });
});

it("a failed request counts as a download, so that the limit holds", async () => {
  const pages = shelf("Aldermoor", 8, () => "").map((page): LibraryPage => ({ ...page, answers: 404 }));
  const library = await startLibrary(pages);
  const agent = await startAgent([search("Aldermoor"), say.text("I do not know.")], { environment: library.environment });
  const { run } = await agent.ask("What is Aldermoor?", { limits: { downloads: 7 } });
  expect([run.usage.downloads, library.read.length]).toEqual([7, 7]);
  expect(resultsOf(agent)[0]).toContain("Could not be read: 7. You may read no more sources.");
});

const OLD_LINES = "An old keeper tells of the lamp.";

it.each([
  ["Aldermoor", FILLER],
  ["奥尔德穆尔", FILLER_ZH],
])("a page whose own date is before since is not shown, and the next one is read in its place: %s", async (name, filler) => {
  const pages = shelf(name, 8, (at) => `${name}: ${at}.`, filler).map((page, at): LibraryPage => {
    return at === 0
      ? { ...page, firstLines: `${page.title} ${OLD_LINES}`, date: "2010-05-01" }
      : { ...page, firstLines: `${page.title} A new keeper tells of the lamp.`, date: "2025-05-01" };
  });
  const library = await startLibrary(pages);
  const steps = [
    search(name),
    search(`lamp ${name}`),
    say.toolCalls([{ name: "read_document", arguments: { id: "S8" } }]),
    say.text(`It is old. [S8: ${JSON.stringify(OLD_LINES)}]`),
  ];
  const agent = await startAgent(steps, { environment: library.environment });
  const { run } = await agent.ask(`What is ${name}? lamp`, { since: "2024-01-01" });
  const results = resultsOf(agent);
  expect(results.join("\n")).not.toContain(OLD_LINES);
  expect(results[0]).toContain("6 of them read, with the places that fit best. Left out, because their own date is before 2024-01-01: 1.");
  expect(results[1]).toContain("Left out, because their own date is before 2024-01-01: 1.");
  expect(results[2]).toContain("There is no source S8. There are: S1 to S7.");
  expect(library.read.filter((at) => at === 0)).toHaveLength(1);
  expect(run.report?.citations).toEqual([]);
  expect(run.report?.ledger.filter(({ failure }) => failure === "before_since")).toHaveLength(1);
  await expectReplay({ dossier: agent.dossier, run });
});

it("a page that was listed before its date was known is not read again, and cannot be cited", async () => {
  const pages = shelf("Aldermoor", 8, (at) => `It has ${at} docks.`).map((page, at): LibraryPage => {
    return at === 7 ? { ...page, title: "Report 7 of Aldermoor 灯塔", firstLines: OLD_LINES, date: "2010-05-01" } : page;
  });
  const library = await startLibrary(pages);
  const read = say.toolCalls([{ name: "read_document", arguments: { id: "S8" } }]);
  const again = say.toolCalls([{ name: "read_document", arguments: { id: "S8", find: "docks" } }]);
  const answer = say.text(`An old keeper tells of the lamp. [S8: ${JSON.stringify(OLD_LINES)}]`);
  const agent = await startAgent([search("Report docks of Aldermoor"), read, again, answer], { environment: library.environment });
  const { run } = await agent.ask("Who tells of the docks of Aldermoor?", { since: "2024-01-01" });
  const [, one = "", two = ""] = resultsOf(agent);
  for (const said of [one, two]) expect(said).toContain("\nS8 is left out: its own date is before 2024-01-01.\n");
  expect(library.read.filter((at) => at === 7)).toHaveLength(1);
  expect(run.report?.citations).toEqual([]);
  await expectReplay({ dossier: agent.dossier, run });
});

it("what an earlier run of the thread read is left out too, if its own date is before since", async () => {
  const fact = "It has 1,234 docks.";
  const pages = shelf("Aldermoor", 2, () => fact).map((page): LibraryPage => ({ ...page, date: "2010-05-01" }));
  const library = await startLibrary(pages);
  const steps = [
    search("docks Aldermoor"),
    say.text(`It has 1,234 docks. [S1: "1,234 docks"]`),
    search("many docks Aldermoor"),
    say.text("码头数量未知。"),
  ];
  const agent = await startAgent(steps, { environment: library.environment });
  const first = await agent.ask("How many docks has Aldermoor?", { threadId: "T" });
  expect(first.run.report?.citations).toHaveLength(1);
  const { run } = await agent.ask("码头 docks of Aldermoor?", { threadId: "T", since: "2024-01-01" });
  const shown = contentsOf(agent.server.requests.at(-1)!, "tool").join("\n");
  expect(shown).toContain("Left out, because their own date is before 2024-01-01: 2.");
  expect(shown).not.toContain(fact);
  expect(run.report?.ledger.filter(({ failure }) => failure === "before_since")).toHaveLength(2);
  await expectReplay({ dossier: agent.dossier, run });
});
