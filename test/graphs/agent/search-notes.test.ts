import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";
import { shelf, startLibrary } from "./library.ts";

async function searchFor(args: object) {
  const library = await startLibrary(shelf("Aldermoor", 2, () => "It has a dock. 它有一个码头。"));
  const steps = [say.toolCalls([{ name: "search", arguments: args as never }]), say.text("I do not know.")];
  const agent = await startAgent(steps, { environment: library.environment });
  const { run } = await agent.ask("How many docks does Aldermoor have?");
  expectNoRefusal(agent);
  await expectReplay({ dossier: agent.dossier, run });
  const [result = ""] = contentsOf(agent.server.requests.at(-1)!, "tool");
  return { result, ledger: run.report?.ledger.filter(({ what }) => what === "search") ?? [] };
}

it.each([
  ["docks Aldermoor", "coal", "French", "fr"],
  ["Aldermoor 码头", "煤炭", "法语", "fr"],
])("an agent is told what of its query was left out, and why: %s", async (text, excluded, language, code) => {
  const query = { text: `${text} -${excluded} site:example.org`, language, from: "2025", to: "2020", kinds: ["nonsense"] };
  const { result, ledger } = await searchFor({ queries: [query] });
  const unused = [`-${excluded}`, "site:example.org", "nonsense", "2025", "2020"];
  expect(ledger).toMatchObject([{ target: text, asked: { language: code, unused } }]);
  expect(result).toContain(
    `Left out of the queries: ${unused.map((one) => JSON.stringify(one)).join(", ")}. Sources are told no search operators`,
  );
});
