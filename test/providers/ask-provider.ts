import { describe, expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import type { Run } from "../../src/domain/run.ts";
import type { ProviderScript } from "../fakes/providers/neutral.ts";
import { fromScript } from "../fakes/providers/seen-script.ts";
import { type ProviderServer, startProvider } from "../fakes/providers/serve.ts";
import { expectReplay } from "../graphs/research/roles-under-test.ts";
import { CORPUS, openDossier, type TestDossier } from "../helpers/open-dossier.ts";
import { GRAPHS, type GraphCase, THOUGHT, thinking } from "./graph-scripts.ts";
import { type ServerUnderTest, settingsFor } from "./servers.ts";

/** Opens the real program with the settings of a provider whose server answers by a script. */
export async function openWith(under: ServerUnderTest, script: ProviderScript, parts: Parts) {
  const server = await startProvider(under.provider(), script);
  return { server, dossier: await openDossier({ parts, environment: settingsFor(under, server.url) }) };
}

export interface ProviderRun {
  readonly server: ProviderServer;
  readonly dossier: TestDossier;
  readonly run: Run;
  readonly events: readonly RunEvent[];
}

/** Tests each graph with a server. */
export function describeGraphs(under: ServerUnderTest, graphs = GRAPHS): void {
  describe(`with a model of ${under.name}`, () => {
    it.each(graphs)("the $name comes from its question to a report", async (graph) => {
      await expectAnswered(await askProvider(under, graph), under, graph);
    });
  });
}

/** One run, from its question to its end. */
export async function askProvider(under: ServerUnderTest, { script, parts, request }: GraphCase): Promise<ProviderRun> {
  const said = fromScript(under.reasons ? thinking(script()) : script());
  const { server, dossier } = await openWith(under, said, parts);
  const { id } = await dossier.start(request);
  const run = await dossier.finish(id);
  return { server, dossier, run, events: await dossier.events(id) };
}

/** Checks what holds for a run of every graph at every provider. */
export async function expectAnswered(asked: ProviderRun, under: ServerUnderTest, graph: GraphCase): Promise<void> {
  const { server, run, events } = asked;
  expect([run.status, run.error, run.termination?.reason]).toEqual(["succeeded", null, graph.reason]);
  expect(server.unexpected).toEqual([]);
  expect(server.refused.filter((words) => !under.refuses.some((known) => known.test(words)))).toEqual([]);
  const citations = run.report?.citations ?? [];
  expect(citations.map(({ quote }) => quote).sort()).toEqual([...graph.quotes].sort());
  for (const { quote } of citations) expect(Object.values(CORPUS).some((text) => text.includes(quote))).toBe(true);
  const calls = events.flatMap((event) => (event.type === "tool-started" ? [event.tool] : []));
  expect(calls.sort()).toEqual([...graph.tools].sort());
  expectCounted(asked, under);
  expectReasoning(asked, under);
  expectReturned(asked, under);
  expectNothingShown(asked);
  await expectReplay(asked, graph.parts);
}

/** The server's own counts, of every call. */
function expectCounted({ server, run, events }: ProviderRun, { counts }: ServerUnderTest): void {
  const usages = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
  expect(usages).toHaveLength(server.requests.filter(({ refusal }) => refusal === null).length);
  expect(
    usages.filter(({ estimated, inputTokens, outputTokens }) => (estimated && counts) || inputTokens === 0 || outputTokens === 0),
  ).toEqual([]);
  expect(run.usage.outputTokens).toBe(usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0));
}

function expectReasoning({ run, events }: ProviderRun, { reasons }: ServerUnderTest): void {
  // Parallel children think at the same time.
  const ofCall = Map.groupBy(
    events.filter((event) => event.type === "reasoning"),
    ({ callId }) => callId,
  );
  const thoughts = [...ofCall.values()].map((deltas) => deltas.map(({ delta }) => delta).join(""));
  const answers = events.filter(({ type }) => type === "call-ended").length;
  expect(thoughts.map((thought) => thought.split(THOUGHT).length - 1)).toEqual(Array.from({ length: reasons ? answers : 0 }, () => 1));
  expect(JSON.stringify(run.report)).not.toContain("which nobody may quote");
  expect(events.some((event) => event.type === "content" && event.delta.includes("nobody may"))).toBe(false);
}

/** Each request that continues calls has what was attached to them. */
function expectReturned({ server }: ProviderRun, { returned }: ServerUnderTest): void {
  if (returned === null) return;
  const continuing = server.requests.filter(({ neutral }) => neutral.messages.some(({ calls }) => calls.length > 0));
  expect(continuing.filter(({ body }) => !returned.test(JSON.stringify(body)))).toEqual([]);
}

const ATTACHED = /thought_?signature|"signature"|reasoning_content|[A-Za-z0-9+/]{43}=/i;

/** What a provider attached is in no event and no report. */
function expectNothingShown({ run, events }: ProviderRun): void {
  expect(events.filter((event) => ATTACHED.test(JSON.stringify(event)))).toEqual([]);
  expect(JSON.stringify(run)).not.toMatch(ATTACHED);
}
