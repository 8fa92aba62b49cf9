import { expect, it } from "vitest";
import { createModelResearch } from "../../../src/analyst/research-analyst.ts";
import { NOTHING_SPENT } from "../../../src/domain/budget.ts";
import type { DomainEvent } from "../../../src/domain/events.ts";
import type { JournalRecord, LoggedEvent } from "../../../src/domain/recording.ts";
import { openJournal } from "../../../src/journal/segment-journal.ts";
import { loadPrompts } from "../../../src/models/prompts.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { openModel } from "../../models/model-under-test.ts";
import { planningView, RULES } from "./research-under-test.ts";

/** The number of records of all journals of this file. */
let recorded = 0;

const PLACE = { node: "plan", step: 1, path: ["__pregel_pull", "plan"], attempt: 1 };
const TODOS = [
  { id: "T1", description: "灯塔有多高？" },
  { id: "T2", description: "灯塔什么时候建成？" },
];

interface Log {
  readonly records: JournalRecord[];
  readonly events: LoggedEvent[];
}

/** Plans with a journal that starts with `before`; returns the plan, the events, and the journal afterwards. */
async function plan(url: string, mode: "live" | "replay", before: Log = { records: [], events: [] }) {
  const log: Log = { records: [...before.records], events: [] };
  const said: DomainEvent[] = [];
  const sink = {
    record(record: JournalRecord) {
      log.records.push(record);
      recorded += 1;
    },
    stored: async () => undefined,
    event: (event: LoggedEvent, body: DomainEvent) => {
      log.events.push(event);
      said.push(body);
    },
  };
  const given = { runId: "r", segment: 0, epoch: 0, ...before, cache: [], pauses: [], spent: NOTHING_SPENT, earlier: [] };
  const journal = openJournal({ ...given, mode, sink, clock: () => 0, onDrain: () => undefined });
  const research = createModelResearch({ model: openModel({ url }), prompts: (await loadPrompts()).render, rules: RULES });
  const planning = await journal.task(PLACE, (effects) => research.plan(planningView("灯塔有多高，什么时候建成？"), effects));
  expect(journal.findDifference()).toBeNull();
  journal.close();
  return { planning, said, log };
}

it("emits the same partial components again in a replay, without calling the model", async () => {
  const faulty = say.text("没有 JSON");
  const server = await startModelServer([
    faulty,
    say.component(
      "planner-response",
      { todos: TODOS },
      say.apart(() => recorded),
    ),
  ]);
  const live = await plan(server.url, "live");
  expect(live.said.filter((event) => event.type === "component" && event.partial).length).toBeGreaterThan(0);
  const replay = await plan("http://127.0.0.1:9/v1", "replay", live.log);
  expect(replay.planning).toEqual(live.planning);
  expect(replay.said).toEqual(live.said);
  expect(server.requests).toHaveLength(2);
});
