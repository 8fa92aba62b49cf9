import * as say from "../../test/fakes/model-server/behaviors.ts";
import { roleScript } from "../../test/fakes/model-server/role-script.ts";
import { behaviorFor, type Script } from "../../test/fakes/model-server/script.ts";
import { contentsOf } from "../../test/fakes/model-server/seen-request.ts";
import { BUILDER, plan, ROLES, WALL } from "../../test/fakes/scripted-roles.ts";

const roles = roleScript({
  ...ROLES,
  "planner-response": [
    plan([
      { id: "T1", description: BUILDER },
      { id: "T2", description: WALL, dependsOn: ["T1"] },
      { id: "三", description: "奥尔德穆尔灯塔是哪一年建成的？" },
    ]),
  ],
});

const SLOW =
  "Ada Penrose built the lighthouse of Aldermoor in 1874, as the record of the harbour says. Its lamp can be seen from far away. ";

/** A question with `slowly` searches, then streams for a long time, one with `which` asks back, all others are answered by their role. */
export const PICTURED: Script = (request, index) => {
  const asked = contentsOf(request, "user").join("\n");
  if (/slowly/i.test(asked)) {
    const hasSearched = request.body.messages.some(({ role }) => role === "tool");
    return hasSearched
      ? say.slow(say.text(SLOW.repeat(40)), { delayMs: 400 })
      : say.toolCalls([{ name: "search", arguments: { query: "lighthouse of Aldermoor 灯塔" } }]);
  }
  if (request.body.tools !== undefined && /which/i.test(asked) && !request.body.messages.some(({ role }) => role === "tool")) {
    return say.toolCalls([{ name: "ask_user", arguments: { question: "Which lighthouse do you mean? 你指哪座灯塔？" } }]);
  }
  if (request.body.tools !== undefined) return say.text("Enough is known.");
  return behaviorFor(roles, request, index);
};
