import { describe, expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { BUILDER } from "../fakes/scripted-roles.ts";
import { expectReplay } from "../graphs/research/roles-under-test.ts";
import { turns } from "../helpers/turns.ts";
import { openWith } from "./ask-provider.ts";
import { FINDER } from "./graph-scripts.ts";
import { PROTOCOLS } from "./servers.ts";

const LONG = say.text("答 answer ".repeat(200));
const CALL = say.toolCalls([{ name: "finder", arguments: { query: "q".repeat(200) } }]);

/** How far an answer has come when it stops. */
const STOPS = {
  "sends nothing": say.hang({ after: "nothing" }),
  "sends only its headers": say.hang({ after: 0 }),
  "hangs in the middle of a text": say.hang({ after: 6, of: LONG }),
  "hangs in the middle of its reasoning": say.hang({ after: 3, of: { ...LONG, reasoning: "想一想 ".repeat(40) } }),
  "hangs in the middle of a call": say.hang({ after: 1, of: CALL }),
};

describe.each(PROTOCOLS)("a run with a model of $name", (under) => {
  it.each(Object.entries(STOPS))("ends when it is cancelled while the server %s, and closes the connection", async (_, stop) => {
    const { server, dossier } = await openWith(under, [stop], FINDER);
    const { id } = await dossier.start({ graph: "executor", question: BUILDER });
    await server.asked(1);
    // By then the first pieces have been read.
    await turns(50);
    await dossier.runs.cancel("default", id);
    const run = await dossier.finish(id);
    expect(run).toMatchObject({ status: "cancelled", termination: { reason: "cancelled" }, error: null, report: null });
    await server.left(1);
    expect(server.requests).toHaveLength(1);
    await expectReplay({ dossier, run }, FINDER);
  });
});
