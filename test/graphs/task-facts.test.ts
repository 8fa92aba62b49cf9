import { expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { askModel, openWithModel } from "../helpers/with-model.ts";
import { researchByModel } from "./research/roles-under-test.ts";

const NEW_YEAR_IN_UTC = Date.UTC(2026, 11, 31, 23, 30);
const SHANGHAI = { timeZone: "Asia/Shanghai" } as const;
const clock = () => NEW_YEAR_IN_UTC;

const datesIn = (request: SeenRequest | undefined): (string | undefined)[] =>
  request === undefined
    ? []
    : Array.from(
        contentsOf(request, "system")
          .join("\n")
          .matchAll(/Today is (\S+)\./g),
        ([, date]) => date,
      );

it("keeps the date of its creation in the time zone of the request, also if it is answered a day later by another process", async () => {
  let now = NEW_YEAR_IN_UTC;
  const script = [say.toolCalls([{ name: "ask_user", arguments: { question: "Which lamp?" } }]), say.text("The old one.")];
  const first = await openWithModel(script, { parts: { clock: () => now, tools: [] } });
  const { id } = await first.dossier.start({ graph: "agent", question: "What burns in the lamp?", ...SHANGHAI });
  expect((await first.dossier.finish(id)).status).toBe("waiting");
  await first.dossier.close(0);
  now += 86_400_000;
  const second = await openWithModel(script.slice(1), { parts: { clock: () => now, tools: [] }, dir: first.dossier.dir });
  await second.dossier.recover();
  await second.dossier.runs.answer(TENANT, id, { answer: "The old one." });
  expect((await second.dossier.finish(id)).status).toBe("succeeded");
  const requests = [...first.model.requests, ...second.model.requests];
  expect(requests.map(datesIn)).toEqual([["2027-01-01"], ["2027-01-01"]]);
  const recording = await readRecording(await second.dossier.recordingLines(id));
  expect(recording.segments[0]?.segment.input).toMatchObject({ type: "start", task: { today: "2027-01-01" } });
  expect((await replay(recording, { tools: [] })).difference).toBeNull();
});

it("has the date in the time zone of the server if the request names none", async () => {
  const asked = await askModel(
    [say.text("Hello.")],
    { graph: "agent", question: "Hi" },
    {
      environment: { TIME_ZONE: "America/New_York" },
      parts: { clock: () => NEW_YEAR_IN_UTC + 3_600_000, tools: [] },
    },
  );
  expect(asked.model.requests.map(datesIn)).toEqual([["2026-12-31"]]);
});

it("tells the date to planner, executor and verifier", async () => {
  const { model } = await researchByModel({}, { question: "How high is the lighthouse?", ...SHANGHAI }, { parts: { clock } });
  const judged = model.requests.filter((request) => contentsOf(request, "system").join("").includes("Answer with one JSON object"));
  const roles = judged.filter((request) => !contentsOf(request, "system").join("").startsWith("You write the answer"));
  expect(roles.length).toBeGreaterThanOrEqual(3);
  expect(roles.map((request) => datesIn(request))).toEqual(roles.map(() => ["2027-01-01"]));
});

it("keeps the policy on unverified sentences of the settings", async () => {
  const environment = { UNSUPPORTED_SENTENCES: "strike", SUPPORT_CHECK: "model" };
  const { dossier, run } = await askModel([say.text("Hello.")], { graph: "agent", question: "Hi" }, { environment, parts: { tools: [] } });
  const recording = await readRecording(await dossier.recordingLines(run.id));
  const input = recording.segments[0]?.segment.input;
  const { unsupported, supportCheck } = input?.type === "start" ? input.task : {};
  expect({ unsupported, supportCheck }).toEqual({ unsupported: "strike", supportCheck: "model" });
});
