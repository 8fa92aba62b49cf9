import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviours.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { contentOf, modelAnalyst, writingView } from "./model-under-test.ts";
import { reading } from "./readings.ts";

const TOWER = reading("tower", "The tower", [
  ["heading1", "The tower"],
  ["paragraph", "The tower is 90 metres tall. It was built in 1931 by local masons."],
]);
const ZH = reading("ta", "灯塔", [["paragraph", "这座灯塔高九十米，一九三一年由当地工匠建成。"]]);

it("keeps sentences whose quotes stand in their passage, and leaves the others out", async () => {
  const server = await startModelServer([
    say.text(
      'The tower is 90 metres tall. [P1: "The tower is 90 metres tall."] It was built by masons. [P1: "in 1931 by local masons"] It is pink. [P1: "The tower is pink"]',
    ),
  ]);
  const effects = plainEffects();
  const draft = await (await modelAnalyst(server)).write(writingView("How tall is the tower?", [TOWER]), effects);
  expect(draft.claims.map(({ text, citations }) => [text, citations])).toEqual([
    ["The tower is 90 metres tall.", [1]],
    ["It was built by masons.", [2]],
  ]);
  expect(draft.citations.map(({ quote }) => quote)).toEqual(["The tower is 90 metres tall.", "in 1931 by local masons"]);
  expect(contentOf(effects)).toEqual(["The tower is 90 metres tall. [1]\n\n", "It was built by masons. [2]\n\n"]);
  expect(server.requests).toHaveLength(1);
  expect(contentsOf(server.requests[0]!, "user").at(-1)).toContain("The tower is 90 metres tall.");
});
