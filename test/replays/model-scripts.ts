import * as say from "../fakes/model-server/behaviors.ts";
import { roleScript } from "../fakes/model-server/role-script.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { BUILDER, BUILT, GRANITE, plan, ROLES, verdict, WALL } from "../fakes/scripted-roles.ts";

/** A plan of two todos, one of which depends on the other, is not accepted, and is planned again. */
export const researchScript = (): Script =>
  roleScript({
    ...ROLES,
    "planner-response": [
      plan([
        { id: "T1", description: BUILDER },
        { id: "二", description: "港墙用什么石料？", dependsOn: ["T1"] },
      ]),
      plan([{ id: "二", description: WALL }]),
    ],
    "verifier-response": [verdict(false, [{ id: "二", completed: false, feedback: "没有说明石料" }], "港墙还不清楚。"), verdict(true)],
  });

export const RESEARCH_QUESTION = `${BUILDER} 它的港墙用什么石料？`;

export const TEAM = {
  pattern: "hybrid",
  children: [
    { id: "history", prompt: "#history Find out who built it.", tools: ["search"], critical: true },
    { id: "石料", prompt: "#石料 查港墙的石料。", tools: ["search"] },
    { id: "age", prompt: "#age Calculate how old it is in 2024.", tools: ["calculator"] },
  ],
  stages: [
    { children: ["history", "石料"], concurrent: true },
    { children: ["age"], concurrent: false },
  ],
};

const CHILDREN: Readonly<Record<string, readonly [call: { name: string; arguments: Record<string, string> }, answer: string, quote: string]>> = {
  history: [{ name: "search", arguments: { query: "lighthouse Aldermoor built" } }, "Ada Penrose built it in 1874.", BUILT],
  石料: [{ name: "search", arguments: { query: "harbour wall granite" } }, "港墙用托尔米尔的花岗岩建成。", GRANITE],
  age: [{ name: "calculator", arguments: { expression: "2024 - 1874" } }, "It was 150 years old in 2024.", ""],
};

/** Each child makes its call and answers; the supervisor combines the results, of which the first child has one. */
export const teamScript: Script = (request) => {
  const told = ["user", "tool"].flatMap((role) => contentsOf(request, role)).join("\n");
  const cited = (letter: string, quote: string): string => {
    const id = new RegExp(`${letter}\\d+`, "g");
    return `[${told.slice(0, told.indexOf(quote)).match(id)?.at(-1) ?? `${letter}1`}: "${quote}"]`;
  };
  const speaker = /#(history|石料|age)/u.exec(contentsOf(request, "system").join("\n"))?.[1];
  const own = CHILDREN[speaker ?? ""];
  if (own === undefined) return say.text(`Ada Penrose built it in 1874, so it was 150 years old. ${cited("P", BUILT)}`);
  const [call, answer, quote] = own;
  if (!request.body.messages.some(({ role }) => role === "tool")) return say.toolCalls([call]);
  return say.text(quote === "" ? answer : `${answer} ${cited("S", quote)}`);
};
