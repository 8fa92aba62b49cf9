import { expect, it } from "vitest";
import type { ResearchAnalyst } from "../../../src/domain/ports/analyst.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { reading } from "../../writing/readings.ts";
import { executed, modelResearch, planningView, todoOf, viewOf } from "./research-under-test.ts";

const ENGLISH = { question: "How tall is the lighthouse?", words: "It is ninety metres tall.", done: "yes, it is done" };
const CHINESE = { question: "灯塔有多高？", words: "这座灯塔高九十米。", done: "已完成" };
type Words = typeof ENGLISH;

/** For each role a form that is not its schema's, the fault that the model is told, and how the role is asked. */
const ROLES = {
  planner: {
    odd: ({ question }: Words) => ({ todos: question }),
    fault: "`todos` is missing.",
    fitting: ({ question }: Words) => ({ todos: [question] }),
    ask: (research: ResearchAnalyst, { question }: Words) => research.plan(planningView(question), plainEffects()),
    byModel: ({ question }: Words) => ({ todos: [{ id: "T1", description: question }] }),
  },
  executor: {
    odd: ({ done, words }: Words) => ({ taskCompleted: done, summary: words }),
    fault: "`taskCompleted` must be a boolean.",
    fitting: ({ words }: Words) => ({ taskCompleted: true, summary: words }),
    ask: (research: ResearchAnalyst, said: Words) => {
      const todo = todoOf("T1", said.question);
      return research.assess({ ...viewOf(said.question), todo, round: 1, roundsLeft: 2, findings: found(said).findings }, plainEffects());
    },
    byModel: ({ words }: Words) => ({ nextAction: "complete", summary: words }),
  },
  verifier: {
    odd: ({ done }: Words) => ({ allCompleted: true, tasks: [{ id: "T1", completed: done }] }),
    fault: "`tasks.0.completed` must be a boolean.",
    fitting: ({ words }: Words) => ({ allCompleted: true, overallFeedback: words }),
    ask: (research: ResearchAnalyst, said: Words) =>
      research.verify({ ...viewOf(said.question), role: "verifier", executed: [found(said)] }, plainEffects()),
    byModel: ({ words }: Words) => ({ allCompleted: true, overallFeedback: words }),
  },
};

function found({ question, words }: Words) {
  return executed(todoOf("T1", question), [[reading("ta", question, [["paragraph", words]]), words]]);
}

const all = [ENGLISH, CHINESE].flatMap((said) => Object.entries(ROLES).map(([name, role]) => ({ name, role, said })));

it.each(all)("a $name whose answer does not fit its schema is told why and asked once more: $said.question", async ({ role, said }) => {
  const server = await startModelServer([say.text(JSON.stringify(role.odd(said))), say.text(JSON.stringify(role.fitting(said)))]);
  expect(await role.ask(await modelResearch(server), said)).toMatchObject(role.byModel(said));
  expect(server.requests).toHaveLength(2);
  const messages = server.requests[1]?.body.messages ?? [];
  expect(messages.at(-2)).toEqual({ role: "assistant", content: JSON.stringify(role.odd(said)) });
  expect(server.requests[1] && contentsOf(server.requests[1], "user").at(-1)).toMatch(
    `Your answer cannot be used as it is:\n${role.fault}\n\nAnswer again with the whole JSON object`,
  );
});

it.each(all)("a $name whose second answer does not fit either is replaced by rules: $said.question", async ({ name, role, said }) => {
  const server = await startModelServer([say.text(JSON.stringify(role.odd(said))), say.text(JSON.stringify(role.odd(said)))]);
  const { ledger } = await role.ask(await modelResearch(server), said);
  expect(ledger).toMatchObject([
    { failure: "unreadable", detail: expect.stringContaining(`The ${name}'s answer cannot be used: ${role.fault}`) },
  ]);
  expect(server.requests).toHaveLength(2);
});
