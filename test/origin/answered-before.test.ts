import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { askedRole } from "../fakes/model-server/role-script.ts";
import { done, failed, lastSaid, plan, summary, WALL, YEAR, YEAR_QUOTE } from "../fakes/scripted-roles.ts";
import { expectReplay } from "../graphs/research/roles-under-test.ts";
import { startModelService } from "./model-service.ts";

const ASKED = { question: YEAR, threadId: "lighthouse" };
const PLANNED = plan([{ id: "T1", description: YEAR }]);

const placesOf = ({ report }: Run) => report?.citations.map(({ contentHash, start, end, quote }) => ({ contentHash, start, end, quote }));
const statuses = ({ todos }: Run) => todos?.map(({ id, status, answeredBy }) => [id, status, answeredBy]);

/** Asks, then asks again in the same thread, with `more` in the request. Returns both runs and the requests of the second one. */
async function askTwice(again: typeof PLANNED, more: object = {}, between: (dir: string, run: Run) => void = () => undefined) {
  const service = await startModelService({ "planner-response": [PLANNED, again] });
  const first = await service.ask(ASKED);
  const before = service.model.requests.length;
  between(service.dir, first);
  const second = await service.ask({ ...ASKED, ...more });
  expect([second.error, service.model.unexpected]).toEqual([null, []]);
  return { service, first, second, requests: service.model.requests.slice(before) };
}

describe("a question that an earlier run of the thread has answered", () => {
  it.each([
    ["plans nothing", plan([])],
    ["names the earlier answer", plan([{ id: "earlier-1", description: "（已回答）" }])],
  ])("costs a planning and a summing-up call if the planner %s", async (_, again) => {
    const { service, first, second, requests } = await askTwice(again);
    expect(first.usage.modelCalls).toBeGreaterThan(4);
    expect(requests.map((request) => askedRole(request))).toEqual(["planner-response", "summary-response"]);
    for (const request of requests) expect(lastSaid(request)).toContain(YEAR_QUOTE);
    expect(second.usage).toMatchObject({ modelCalls: 2, sourceRequests: 0, downloads: 0 });
    expect(statuses(second)).toEqual([["earlier-1", "completed", "conversation"]]);
    expect(second.termination?.reason).toBe("completed");
    const day = first.endedAt?.slice(0, 10);
    expect(second.report?.ledger.find(({ outcome }) => outcome === "reused")?.detail).toBe(
      `An earlier run of this thread read it on ${day}; it was not read again.`,
    );
    expect(second.report?.claims.map(({ text, supported }) => [text, supported])).toEqual([["奥尔德穆尔灯塔建于1874年。", true]]);
    // The quote stands in the document that this run serves.
    expect(placesOf(second)).toEqual(placesOf(first));
    for (const { contentHash, start, end, quote } of placesOf(second) ?? []) {
      const text = await (await fetch(`${service.url}/research/${second.id}/documents/${contentHash}`)).text();
      expect(text.slice(start, end)).toBe(quote);
    }
    await expectReplay({ dossier: service, run: second });
  });

  it("is answered in the same way by a third run, after the first is deleted", async () => {
    const { service, first, second } = await askTwice(plan([]));
    await fetch(`${service.url}/research/${first.id}`, { method: "DELETE" });
    const third = await service.ask(ASKED);
    expect([third.usage.modelCalls, placesOf(third)]).toEqual([2, placesOf(second)]);
  });

  it("is not cited from a document that is gone", async () => {
    const { second } = await askTwice(plan([]), {}, (dir, { id }) => {
      const database = new Database(join(dir, "data", "dossier.sqlite"));
      database.prepare("delete from run_documents where run_id = ?").run(id);
      database.close();
    });
    expect([placesOf(second), second.termination?.reason]).toEqual([[], "no_answer"]);
  });

  it("is researched again if the planner words it in another way, and the earlier answer is not part of the plan", async () => {
    const { second } = await askTwice(plan([{ id: "T1", description: `${YEAR}请重新核实。` }]));
    expect(statuses(second)).toEqual([["T1", "completed", "execution"]]);
  });

  it.each([
    ["the request is another one, and the planner plans it", { language: "zh" }, true],
    ["the metadata, on which tools may depend, is another one", { metadata: { user: "2" } }, false],
  ])("is researched again if %s", async (_, more, isShown) => {
    const { second, requests } = await askTwice(PLANNED, more);
    expect(lastSaid(requests[0]!).includes(YEAR_QUOTE)).toBe(isShown);
    expect(statuses(second)).toEqual([["T1", "completed", "execution"]]);
  });
});

describe("a new question in the thread", () => {
  it("is researched, and what it depends on is taken from the earlier answer", async () => {
    const again = plan([{ id: "T1", description: WALL, dependsOn: ["earlier-1"] }]);
    const service = await startModelService({
      "planner-response": [PLANNED, again],
      "executor-response": ({ said }) => (said.includes("nothing was searched") ? failed("没有提到港墙。") : done()),
    });
    await service.ask(ASKED);
    const second = await service.ask({ ...ASKED, question: WALL });
    expect(statuses(second)).toEqual([
      ["earlier-1", "completed", "conversation"],
      ["T1", "completed", "execution"],
    ]);
    expect(second.todos?.map(({ rounds }) => rounds)).toEqual([0, 1]);
    expect(second.report?.citations.map(({ quote }) => quote)).toContain(YEAR_QUOTE);
    await expectReplay({ dossier: service, run: second });
  });

  it("needs no search if the executor says that the earlier answer, shown with its quotes, completes it", async () => {
    const question = "灯塔是十九世纪建成的吗？";
    const service = await startModelService({
      "planner-response": [PLANNED, plan([{ id: "T1", description: question, dependsOn: ["earlier-1"] }])],
      "summary-response": summary(),
    });
    await service.ask(ASKED);
    const before = service.model.requests.length;
    const second = await service.ask({ ...ASKED, question });
    const requests = service.model.requests.slice(before);
    expect(requests.map((request) => askedRole(request))).toEqual([
      "planner-response",
      "executor-response",
      "verifier-response",
      "summary-response",
    ]);
    expect(lastSaid(requests[1]!)).toContain(`“${YEAR_QUOTE}”`);
    expect(second.usage.sourceRequests).toBe(0);
    expect(statuses(second)?.[1]).toEqual(["T1", "completed", "conversation"]);
    expect(second.report?.citations.map(({ quote }) => quote)).toEqual([YEAR_QUOTE]);
    await expectReplay({ dossier: service, run: second });
  });
});
