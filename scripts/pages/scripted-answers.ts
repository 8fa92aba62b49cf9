import * as say from "../../test/fakes/model-server/behaviors.ts";
import { roleScript } from "../../test/fakes/model-server/role-script.ts";
import { behaviorFor, type Script } from "../../test/fakes/model-server/script.ts";
import { contentsOf } from "../../test/fakes/model-server/seen-request.ts";
import { BUILDER, plan, ROLES, WALL } from "../../test/fakes/scripted-roles.ts";
import { citedFacts, deepScript } from "../../test/graphs/research/deep-world.ts";

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

/** A deep report, whose sections have a table, a list, headings of their own, and sentences that their quotes do not support. */
export const LONG_REPORT: Script = (request) => {
  if (request.body.model !== "section") return LONG(request);
  const [first = "", second = "", third = "", ...more] = citedFacts(request);
  const [fact = "", marker = ""] = first.split(/ (?=\[)/);
  const odd = fact.replace(/\d+(?= tonnes|吨)/, (tonnes) => String(Number(tonnes) * 3));
  const row = (cited: string): string => {
    const [, year, tonnes, quote] = /(\d{4})\D+?(\d+).*?(\[P.*)$/s.exec(cited) ?? [];
    return `| ${year} | ${tonnes} | ${quote} |`;
  };
  const table = ["| Year | Tonnes | |", "| --- | ---: | --- |", ...more.slice(0, 3).map(row)].join("\n");
  const parts = [
    `${first} Trade grew in all years, as everybody knows. ${odd} ${marker}`,
    `### Figures up to 2090\n\n${table}`,
    `### Notes\n\n- ${second}\n- ${third}\n  - It is **the best** harbour of 1812.`,
  ];
  return say.text(parts.join("\n\n"));
};
const LONG = deepScript();
