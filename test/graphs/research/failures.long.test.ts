import { expect, it } from "vitest";
import type { SearchSource } from "../../../src/domain/ports/sources.ts";
import { DossierError } from "../../../src/errors.ts";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
import { expectSameAgain, research, statuses, watch } from "./ask-research.ts";

const QUESTION = "Who built the lighthouse of Aldermoor, and who painted the portrait of Isolde Farrow?";
const BUILDER = "Who built the lighthouse of Aldermoor?";
const NOWHERE = "谁画了伊索尔德·法罗的肖像？";

const twoTodos = () => scriptedResearch({ plan: (_, round) => ({ todos: round === 1 ? [todo("T1", BUILDER), todo("T2", NOWHERE)] : [] }) });

it("lists the unanswered questions in every file, and its bundle verifies", async () => {
  const { dossier, run } = await research({ question: QUESTION }, { parts: { research: twoTodos() } });
  expect(run.report?.markdown).toContain(`Missing: ${NOWHERE}\n`);
  const { report } = run;
  if (report === null) throw new Error("there is no report");
  const html = await dossier.reports.render({ ...run, report }, "html", new AbortController().signal);
  expect(new TextDecoder().decode(html)).toContain(`Missing: ${NOWHERE}`);
  const bundle = (await Array.fromAsync(dossier.runs.bundle(TENANT, run.id))).join("");
  expect(verifyBundle(new TextEncoder().encode(bundle), `dossier ${dossier.version}`).faults).toEqual([]);
});

it("treats an error of one todo as the failure of that todo alone", async () => {
  const broken = scriptedResearch({
    plan: (_, round) => ({
      todos: round === 1 ? [todo("T1", BUILDER), todo("T2", NOWHERE), todo("T3", `Say again: ${BUILDER}`, { dependsOn: ["T2"] })] : [],
    }),
    assess: ({ todo: { id } }) => {
      if (id === "T2") throw new DossierError("model_refused", "The key is wrong.");
      return {};
    },
  });
  const done = await research({ question: QUESTION }, { parts: { research: broken } });
  expect(done.run.error).toBeNull();
  expect(done.run.todos?.map(({ id, status, feedback }) => [id, status, feedback])).toEqual([
    ["T1", "completed", null],
    ["T2", "failed", "model_refused: The key is wrong."],
    ["T3", "skipped", "It needs T2, which was not answered."],
  ]);
  await expectSameAgain(done, { research: broken });
});

it("keeps the sources and the ledger of a todo whose second execution fails with an error", async () => {
  let executions = 0;
  const broken = scriptedResearch({
    plan: (_, round) => ({ todos: round <= 2 ? [todo("T1", BUILDER)] : [] }),
    assess: () => {
      executions += 1;
      if (executions > 1) throw new DossierError("model_refused", "The key is wrong.");
      return {};
    },
    verify: () => ({ allCompleted: false, tasks: [{ id: "T1", completed: false, feedback: "Say more." }] }),
  });
  const { run } = await research({ question: BUILDER }, { parts: { research: broken } });
  expect(run.todos?.map(({ status, feedback }) => [status, feedback])).toEqual([["failed", "model_refused: The key is wrong."]]);
  expect(executions).toBe(2);
  expect(run.report?.ledger.some(({ what, outcome }) => what === "download" && outcome === "found")).toBe(true);
  expect(run.report?.claims.some(({ supported }) => supported)).toBe(true);
});

it("ends with its findings if a source never answers", async () => {
  const never: SearchSource = { id: "never", kind: "web", title: "never", search: () => new Promise(() => undefined) };
  const clock = jumpingClock();
  // Ten of the 420 seconds for gathering are left to the searches.
  const todos = (round: number) => (round === 1 ? [todo("T1", BUILDER), todo("T2", NOWHERE)] : []);
  const onAsked = (asked: string) => clock.jump(asked === "plan 1" ? 410_000 : 0);
  const parts = {
    research: scriptedResearch({ plan: (_, round) => ({ todos: todos(round) }), onAsked }),
    sources: [never],
    clock: clock.now,
  };
  const done = await research({ question: QUESTION, limits: { seconds: 600 } }, { parts });
  expect(done.run.status).toBe("succeeded");
  expect(done.run.report?.ledger.some(({ source, failure }) => source === "never" && failure === "timeout")).toBe(true);
  await expectSameAgain(done, parts);
});

it("is cancelled in the middle of its todos, and another run continues in the next process where it was stopped", async () => {
  const going = Promise.withResolvers<void>();
  const held = () =>
    scriptedResearch({
      plan: () => ({ todos: [todo("T1", BUILDER), todo("T2", NOWHERE), todo("T3", `Say again: ${BUILDER}`, { dependsOn: ["T1"] })] }),
      onAsked: (asked) => asked.startsWith("assess") && going.promise,
    });
  const first = await openDossier({ parts: { research: held() } });
  const one = await first.start({ question: QUESTION, graph: "research" });
  const other = await first.start({ question: QUESTION, graph: "research" });
  const seen = async (id: string) => statuses((await first.runs.get(TENANT, id)).todos);
  for (const { id } of [one, other]) await expect.poll(() => seen(id)).toContain("executing");
  await first.runs.cancel(TENANT, one.id);
  const cancelled = await first.finish(one.id);
  expect(cancelled.status).toBe("cancelled");
  expect(statuses(cancelled.todos)).toBe("T1 skipped, T2 skipped, T3 skipped");
  expect(cancelled.todos?.[1]?.feedback).toBe("The run ended before it was done.");
  await expectSameAgain({ dossier: first, run: await first.finish(one.id) }, { research: held() });
  // A planned stop: each nested run reaches the end of its own step.
  const closed = first.close(100_000);
  going.resolve();
  await closed;

  const research = held();
  const second = await openDossier({ parts: { research }, dir: first.dir });
  await second.recover();
  const done = await watch(second, other.id);
  expect(done.run.error).toBeNull();
  expect(statuses(done.run.todos)).toBe("T1 completed, T2 failed, T3 completed");
  expect(done.events.filter(({ type }) => type === "run-restarted")).toEqual([]);
  await expectSameAgain(done, { research: held() });
});
