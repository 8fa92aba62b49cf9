import { describe, expect, it } from "vitest";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import type { ProviderScript } from "../fakes/providers/neutral.ts";
import { fromScript } from "../fakes/providers/seen-script.ts";
import { BUILT } from "../fakes/scripted-roles.ts";
import { openWith } from "./ask-provider.ts";
import { EXECUTOR } from "./graph-scripts.ts";
import { GEMINI, PROTOCOLS, type ServerUnderTest } from "./servers.ts";

const LONG = say.text("答 answer ".repeat(200));
const OVERLOADED = say.groqError("maybe this is", {
  message: "Overloaded for a while",
  status_code: undefined,
  failed_generation: undefined,
});

/** A run whose first answer fails. */
async function failsOnce(under: ServerUnderTest, failing: Behavior) {
  const script = fromScript(EXECUTOR.script()) as Exclude<ProviderScript, readonly unknown[]>;
  let asked = 0;
  const { server, dossier } = await openWith(
    under,
    (request, index) => {
      asked += 1;
      return asked === 1 ? failing : script(request, index);
    },
    EXECUTOR.parts,
  );
  const { id } = await dossier.start(EXECUTOR.request);
  const run = await dossier.finish(id);
  return { server, run, events: await dossier.events(id) };
}

describe.each(PROTOCOLS)("a model of $name", (under) => {
  it.each([
    ["breaks off", say.breakOff({ after: 2, of: LONG }), /ended the connection|Did not receive done/],
    ["loses its connection", say.reset({ after: 2, of: LONG }), /ECONNRESET|Error reading from the stream/],
    // The class of Gemini takes no fetch of ours and leaves out the server's words.
    ["fails within its answer", OVERLOADED, under === GEMINI ? /ended the connection/ : /answered an error: Overloaded for a while\./],
  ])("that %s is asked the same again", async (_, failing, words) => {
    const { server, run, events } = await failsOnce(under, failing);
    expect(run.report?.citations.map(({ quote }) => quote)).toEqual([BUILT]);
    const restarts = events.flatMap((event) => (event.type === "call-restarted" ? [event.reason] : []));
    expect(restarts).toEqual([expect.stringMatching(words)]);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
    expect(server.refused).toEqual([]);
  });

  it("that repeats itself is left, and its answer ends there", async () => {
    const { server, run, events } = await failsOnce(under, say.hang({ after: 300, of: say.repetition() }));
    await server.left(1);
    expect(run.report?.citations.map(({ quote }) => quote)).toEqual([BUILT]);
    expect(events.find((event) => event.type === "call-ended")).toMatchObject({ finishReason: "repetition" });
    expect(events.find((event) => event.type === "usage")?.usage.outputTokens).toBeGreaterThan(50);
  });
});
