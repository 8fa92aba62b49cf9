import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { askModel, openWithModel } from "../helpers/with-model.ts";

it("says that there is no model, and which setting each unusable source lacks", async () => {
  const { operations } = await openDossier();
  expect(operations.models()).toMatchObject({ configured: false, server: null, default: null, lastTry: null });
  expect(operations.sources()).toContainEqual(
    expect.objectContaining({ id: "tavily", configured: false, needsKey: true, setting: "TAVILY_API_KEY" }),
  );
  expect(operations.sources()).toContainEqual(expect.objectContaining({ id: "searxng", configured: false, setting: "SEARXNG_BASE_URL" }));
});

it("names models and their server, and what became of the last call", async () => {
  const environment = { OPENAI_MODELS: "writer=scripted-large", MODEL_CONTEXT_TOKENS: "32000" };
  const { dossier, model, run } = await askModel(
    [say.repeat(say.text("好。"))],
    { question: "灯塔是谁建的？", limits: { modelCalls: 5 } },
    { environment },
  );
  expect(dossier.operations.models()).toEqual({
    ...{ configured: true, server: new URL(model.url).host, default: "scripted", roles: { writer: "scripted-large" } },
    ...{
      contextTokens: 32_000,
      ranker: null,
      lastTry: { at: expect.any(String), reachable: true, failure: null },
    },
  });
  expect(run.limits).toMatchObject({ modelCalls: 5, seconds: 3_600, costUsd: null });
});

it("lists the models that the server offers, or says why they cannot be listed", async () => {
  const { operations } = await openDossier();
  const { signal } = new AbortController();
  expect(await operations.offeredModels(signal)).toEqual({ models: [], failure: null });
  const { dossier, model } = await openWithModel([say.repeat(say.text("好。"))]);
  const { models, failure } = await dossier.operations.offeredModels(signal);
  expect([models.length > 0, failure]).toEqual([true, null]);
  await model.close();
  expect(await dossier.operations.offeredModels(signal)).toEqual({ models: [], failure: expect.stringContaining(new URL(model.url).host) });
});
