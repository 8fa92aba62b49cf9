import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { buildStandaloneGraph } from "../../src/graphs/standalone.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { scriptedResearch, todo } from "../fakes/scripted-research.ts";
import { openDossier, type TestDossier } from "../helpers/open-dossier.ts";
import { openWithModel } from "../helpers/with-model.ts";

const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
const QUESTION = "Who built the lighthouse of Aldermoor?";

/** The graph as LangGraph's own tools use it: with their checkpointer. */
function standalone({ standalone: deps }: TestDossier, name: string) {
  const definition = deps.graphs.get(name);
  if (definition === undefined) throw new Error(`There is no graph ${name}.`);
  const graph = buildStandaloneGraph(definition, deps);
  graph.checkpointer = new MemorySaver();
  return graph;
}

const thread = (id: string) => ({ configurable: { thread_id: id } });

it("answers a question from the corpus, with the report and a last message", async () => {
  const dossier = await openDossier();
  const graph = standalone(dossier, "executor");
  const done = await graph.invoke({ question: QUESTION }, thread("one"));
  expect(done.report?.citations[0]?.quote).toContain(BUILT);
  expect(done.termination).toMatchObject({ reason: "completed" });
  expect(done.messages.map(({ type, text }) => [type, text])).toEqual([
    ["human", QUESTION],
    ["ai", done.report?.markdown],
  ]);
  expect((await dossier.runs.list("default", { limit: 10 })).runs).toEqual([]);
});

it("takes the question from messages, and each run of a thread has its own request", async () => {
  const graph = standalone(await openDossier(), "executor");
  const content = "What is the harbour wall of Aldermoor made of?";
  const first = await graph.invoke({ question: QUESTION, sources: ["corpus"], language: "zh" }, thread("two"));
  expect(first.report?.markdown).toContain("一字未改");
  const next = await graph.invoke({ messages: [{ role: "user", content }] }, thread("two"));
  expect(next.report?.markdown).toContain("granite from Tolmere");
  expect(next.report?.markdown).toContain("word for word");
  expect(next.messages.map(({ type }) => type)).toEqual(["human", "ai", "human", "ai"]);
});

it.each([
  ["no question", {}, "/question is missing"],
  ["an unknown source", { question: QUESTION, sources: ["nowhere"] }, "Not available here: nowhere"],
])("refuses %s", async (_, input, message) => {
  const graph = standalone(await openDossier(), "executor");
  await expect(graph.invoke(input, thread("bad"))).rejects.toThrow(message);
});

it("sends its events to the custom stream, and shows the nodes of the graph within", async () => {
  const graph = standalone(await openDossier(), "executor");
  const events = await Array.fromAsync(await graph.stream({ question: QUESTION }, { ...thread("three"), streamMode: "custom" }));
  expect(events).toContainEqual(expect.objectContaining({ type: "document-read", node: "download" }));
  const { nodes } = await graph.getGraphAsync({ xray: true });
  expect(Object.keys(nodes)).toEqual(expect.arrayContaining(["read_request", "run:search", "run:summarize"]));
});

it("waits where the agent asks its user, goes on with LangGraph's resume, and knows the earlier turn", async () => {
  const script = [
    say.toolCalls([{ name: "ask_user", arguments: { question: "Which lighthouse?" } }]),
    say.text("Ada Penrose built it."),
    say.text("In 1874."),
  ];
  const { dossier, model } = await openWithModel(script, { parts: { tools: [] } });
  const graph = standalone(dossier, "agent");
  const waiting = await graph.invoke({ question: "Who built the lighthouse?" }, thread("ask"));
  expect(waiting).toMatchObject({ __interrupt__: [{ value: { kind: "question", prompt: "Which lighthouse?" } }] });
  const done = await graph.invoke(new Command({ resume: "That of Aldermoor" }), thread("ask"));
  expect(done.report?.markdown).toContain("Ada Penrose built it.");
  expect(contentsOf(model.requests[1] as SeenRequest, "tool")).toEqual(["That of Aldermoor"]);
  await graph.invoke({ question: "When?" }, thread("ask"));
  expect(contentsOf(model.requests[2] as SeenRequest, "assistant")).toContainEqual(expect.stringContaining("Ada Penrose built it."));
});

it("ends the call that is being made when LangGraph cancels it", async () => {
  const stop = new AbortController();
  const cancelling = (): Behavior => {
    stop.abort();
    return say.hang();
  };
  const { dossier, model } = await openWithModel(cancelling, { parts: { tools: [] } });
  const run = standalone(dossier, "agent").invoke({ question: QUESTION }, { ...thread("stop"), signal: stop.signal });
  await expect(run).rejects.toThrow();
  await expect.poll(() => model.aborted()).toBe(1);
});

const WALL = "What is the harbour wall made of?";
const LAMP = "What does the lamp of the lighthouse of Aldermoor burn?";

/** Each agent asks its user, searches, and answers. */
function does(request: SeenRequest): Behavior {
  if (!offeredTools(request).includes("ask_user")) return say.text("Nothing to add.");
  const results = contentsOf(request, "tool").length;
  const about = contentsOf(request, "user").join("\n").includes("eastern") ? "eastern" : "western";
  if (results === 0) return say.toolCalls([{ name: "ask_user", arguments: { question: `Which ${about} one?` } }]);
  if (results === 1) return say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor built" } }]);
  return say.text(`Ada Penrose built it in 1874. [S1: "${BUILT}"]`);
}

it("waits in two todos at once, and continues those that waited and those that had ended", async () => {
  const asks = (where: string) => todo(where, `Ask which ${where} lighthouse is meant, and who built it`, { by: "agent" });
  const plan = () => ({ todos: [asks("eastern"), asks("western"), todo("T3", WALL), todo("T4", LAMP, { dependsOn: ["eastern", "T3"] })] });
  const { dossier } = await openWithModel(does, { parts: { tools: [], research: scriptedResearch({ plan }) } });
  const graph = standalone(dossier, "research");
  const waiting = await graph.invoke({ question: "Which lighthouses?" }, thread("todos"));
  const pending = (waiting as unknown as { __interrupt__: { id: string; value: { prompt: string } }[] }).__interrupt__;
  expect(pending.map(({ value }) => value.prompt).toSorted()).toEqual(["Which eastern one?", "Which western one?"]);
  const resume = Object.fromEntries(pending.map(({ id }) => [id, "Aldermoor"]));
  const events = await Array.fromAsync(await graph.stream(new Command({ resume }), { ...thread("todos"), streamMode: "custom" }));
  const started = events.flatMap((event) => (event.type === "node-started" && event.node === "work" ? event.path : []));
  expect(new Set(started)).toEqual(new Set(["todo:eastern", "todo:western", "todo:T4"]));
  // Known at once, from what LangGraph's checkpointer has of the unfinished step.
  expect(events.find(({ type }) => type === "component")).toMatchObject({
    props: { todos: [{}, {}, { id: "T3", status: "completed" }, {}] },
  });
  const { values: done } = await graph.getState(thread("todos"));
  expect(done.termination).toMatchObject({ reason: "completed" });
  expect(JSON.stringify(done.report?.citations)).toContain(BUILT);
});
