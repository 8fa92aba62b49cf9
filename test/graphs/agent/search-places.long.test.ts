import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { type AgentUnderTest, startAgent } from "./agent-under-test.ts";
import { FILLER_ZH, type LibraryPage, shelf, startLibrary } from "./library.ts";

const search = (query: string) => say.toolCalls([{ name: "search", arguments: { query } }]);
const resultsOf = ({ server }: AgentUnderTest): string[] => contentsOf(server.requests.at(-1)!, "tool");

it("a page that cannot be read takes no place of the search or the depth", async () => {
  const [name, filler] = ["奥尔德穆尔", FILLER_ZH];
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

const OLD_LINES = "An old keeper tells of the lamp.";

it("a page whose own date is before since is not shown, and the next one is read in its place", async () => {
  const name = "Aldermoor";
  const pages = shelf(name, 8, (at) => `${name}: ${at}.`).map((page, at): LibraryPage => {
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
