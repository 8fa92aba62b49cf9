import { expect, it } from "vitest";
import { httpTool } from "../fakes/http-tool.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { askModel } from "../helpers/with-model.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const ANSWER = 'Ada Penrose built it in 1874. [P1: "The lighthouse of Aldermoor was built in 1874 by Ada Penrose."]';

/** Never called. */
const tools = [httpTool("alpha", "http://127.0.0.1:9")];

const decides = (request: SeenRequest): boolean => offeredTools(request).length > 0;
/** Returns the id of the passage that names the builder. */
const quoting = (request: SeenRequest): string => {
  const shown = contentsOf(request, "user").join("\n");
  const id = /\bP\d+\b(?=[\s\S]{0,400}built in 1874 by Ada Penrose)/.exec(shown)?.[0] ?? "P1";
  return ANSWER.replace("P1", id);
};

it("takes no round for a question that needs no tool: one decision, one report", async () => {
  const { model, run, of } = await askModel(
    (request) => (decides(request) ? say.text("The documents in scope will say it.") : say.text(quoting(request))),
    { question: QUESTION },
    { parts: { tools } },
  );
  expect(of("loop-ended")).toMatchObject([{ reason: "no_tools", rounds: 0 }]);
  expect(model.requests).toHaveLength(2);
  expect(run.termination?.reason).toBe("completed");
  expect(run.report?.claims.map(({ text }) => text)).toEqual(["Ada Penrose built it in 1874."]);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["The lighthouse of Aldermoor was built in 1874 by Ada Penrose."]);
  expect(run.usage).toMatchObject({ modelCalls: 2, models: [{ model: "scripted", calls: 2 }] });
});

const search = (text: string) => say.toolCalls([{ name: "search", arguments: { queries: [{ text }] } }]);

it.each([
  [QUESTION, "Aldermoor lighthouse lamp"],
  ["奥尔德穆尔灯塔的灯烧什么？", "灯塔 灯油"],
])("a model that wrote no queries is asked again in the next run of the same question: %s", async (question, words) => {
  let asked = 0;
  const decide = () => (asked++ === 1 ? say.text("Nothing more is needed.") : search(words));
  const { model, dossier } = await askModel(
    (request) => (decides(request) ? decide() : say.text(quoting(request))),
    // The first search indexes the corpus, and then its languages are known.
    { question: "Where is Aldermoor?" },
    { parts: { tools } },
  );
  const searched = async () => {
    const { id } = await dossier.finish((await dossier.start({ question })).id);
    const decided = (await dossier.events(id)).filter((event) => event.type === "decision");
    return decided.map(({ cached, queries }) => [cached, queries?.map(({ text }) => text)]);
  };
  expect([await searched(), await searched(), await searched()]).toEqual([
    [[false, undefined]],
    [[false, [words]]],
    // What it wrote then is kept.
    [[true, [words]]],
  ]);
  expect(model.requests.filter(decides)).toHaveLength(3);
});
