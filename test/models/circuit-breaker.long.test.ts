import { expect, it } from "vitest";
import type { DossierError } from "../../src/errors.ts";
import { closedPort } from "../contracts/closed-port.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST } from "./model-under-test.ts";

const failure = (error: DossierError) => [error.code, error.message];

/** The same run after this time has passed. */
const later = (effects: ReturnType<typeof plainEffects>, ms: number): typeof effects => ({
  ...effects,
  now: () => ms,
  elapsedMs: (since) => ms - since,
});

it("asks a server that refuses all tries of a connection once per run, and again after half a minute, or for another run", async () => {
  const model = openModel({ url: `http://127.0.0.1:${await closedPort()}/v1` });
  const ask = (effects: ReturnType<typeof plainEffects>) => model.complete(REQUEST, OPTIONS, effects).catch(failure);
  const effects = plainEffects();
  const first = await ask(effects);
  expect(first).toEqual(["model_unavailable", expect.stringMatching(/connection refused.* It was tried 3 times; try again later\.$/)]);
  expect(effects.requests).toHaveLength(3);
  expect(await ask(effects)).toEqual(first);
  expect(await ask(later(effects, 29_000))).toEqual(first);
  expect(effects.requests).toHaveLength(3);
  await ask(later(effects, 31_000));
  expect(effects.requests).toHaveLength(6);
  const other = plainEffects();
  await ask(other);
  expect(other.requests).toHaveLength(3);
});

it("does not send a refused key a second time", async () => {
  const server = await startModelServer([say.repeat(say.status(401))]);
  const model = openModel(server);
  const effects = plainEffects();
  const ask = () => model.complete(REQUEST, OPTIONS, effects).catch(failure);
  const refused = ["model_refused", expect.stringContaining("did not accept the key (401); check OPENAI_API_KEY.")];
  expect([await ask(), await ask()]).toEqual([refused, refused]);
  expect(server.requests).toHaveLength(1);
});

it.each([
  ["breaks off the connection before it answers", say.reset({ after: "nothing" })],
  ["is too busy", say.status(503)],
  ["breaks off its answer", say.breakOff()],
  ["does not know the model", say.status(404)],
])("asks a server again that %s", async (_, behavior) => {
  const server = await startModelServer([say.repeat(behavior)]);
  const model = openModel(server);
  const effects = plainEffects();
  await model.complete(REQUEST, OPTIONS, effects).catch(failure);
  const asked = server.requests.length;
  await model.complete(REQUEST, OPTIONS, effects).catch(failure);
  expect(server.requests).toHaveLength(2 * asked);
});
