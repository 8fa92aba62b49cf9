import { expect, it } from "vitest";
import { ResearchRequestSchema } from "../../../src/domain/request.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { expectReplay } from "../research/roles-under-test.ts";
import { type AgentUnderTest, startAgent, watch } from "./agent-under-test.ts";
import { FILLER, FILLER_ZH, type LibraryPage, shelf, startLibrary } from "./library.ts";

const search = (query: string) => say.toolCalls([{ name: "search", arguments: { query } }]);
const resultsOf = ({ server }: AgentUnderTest): string[] => contentsOf(server.requests.at(-1)!, "tool");
const countIn = (texts: readonly string[], part: string): number => texts.join("\n").split(part).length - 1;

const CONTRACTS = {
  en: {
    question: "What does the contract say about the rent, the notice period, the deposit and the pets?",
    filler: FILLER.slice(0, 2_200),
    facts: {
      rent: "The rent is 900 euros a month.",
      notice: "The notice period is three months.",
      deposit: "The deposit is two thousand euros.",
      pets: "The pets may be cats only.",
    },
  },
  zh: {
    question: "合同对租金、通知期、押金和宠物有什么规定？",
    filler: FILLER_ZH.slice(0, 2_200),
    facts: { 租金: "租金为每月九百元。", 通知期: "通知期为三个月。", 押金: "押金为两千元。", 宠物: "宠物只能是猫。" },
  },
} as const;

async function askContract(language: keyof typeof CONTRACTS, queries: readonly string[]) {
  const { question, filler, facts } = CONTRACTS[language];
  const text = Object.values(facts)
    .map((fact) => `${fact} ${filler}`)
    .join("\n\n");
  const document = { name: "contract.txt", mediaType: "text/plain", bytes: new TextEncoder().encode(text) };
  const agent = await startAgent([...queries.map(search), say.text("It is known.")]);
  const request = ResearchRequestSchema.parse({ graph: "agent", question, sources: ["documents"] });
  const { id } = await agent.dossier.runs.start(TENANT, request, { documents: [document] });
  const { run } = await watch(agent.dossier, id);
  await expectReplay({ dossier: agent.dossier, run });
  return { run, agent, results: resultsOf(agent) };
}

it.each([
  ["en", ["deposit", "pets", "notice", "rent"]],
  ["zh", ["押金", "宠物", "通知期", "租金"]],
] as const)(
  "searches one document for one fact after the other, and each shows the place of its own words: %s",
  async (language, queries) => {
    const facts = CONTRACTS[language].facts as Readonly<Record<string, string>>;
    const { run, results } = await askContract(language, queries);
    expect(run.termination?.reason).toBe("answered");
    expect(results).toHaveLength(4);
    for (const [at, query] of queries.entries()) expect(results[at]).toContain(facts[query]);
    for (const fact of Object.values(facts)) expect(countIn(results, fact)).toBe(1);
  },
);

it("a search that shows only what stands above says so, and is no progress", async () => {
  const { run, results } = await askContract("en", ["deposit", "the deposit", "a deposit of", "pets"]);
  expect(run.termination).toMatchObject({ reason: "no_progress" });
  expect(results).toHaveLength(3);
  expect(results[2]).toContain("Its places stand above.");
  expect(countIn(results, CONTRACTS.en.facts.deposit)).toBe(1);
});

it("a text is shown once, whatever leads to it, and takes one place", async () => {
  const [name, fact, filler] = ["奥尔德穆尔", "奥尔德穆尔造船厂有三百一十二名工人。", FILLER_ZH];
  const same: LibraryPage = { title: `Report of ${name}`, text: `${filler} ${fact} ${filler}` };
  const pages = [same, { ...same, leadsTo: 0 }, same, ...shelf(name, 5, (at) => `${name}: ${at}.`, filler)];
  const library = await startLibrary(pages);
  const read = (id: string) => say.toolCalls([{ name: "read_document", arguments: { id, find: fact } }]);
  const steps = [search(name), read("S1"), read("S2"), say.text("It is known.")];
  const agent = await startAgent(steps, { environment: library.environment });
  const { run } = await agent.ask(`How many workers has ${name}?`, { depth: "standard" });
  const [shown = "", first = "", again = ""] = resultsOf(agent);
  expect([shown, first, again].map((result) => countIn([result], fact))).toEqual([1, 0, 0]);
  expect(shown.match(/The same text as \[S1\]\./g)).toHaveLength(2);
  for (const result of [first, again]) expect(result).toContain("What would be shown here stands above.");
  // Two copies take no place of others.
  expect(new Set(library.read)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
  await expectReplay({ dossier: agent.dossier, run });
});
