import { expect, it } from "vitest";
import { VERIFIER } from "../../../src/analyst/research-roles.ts";
import { replay } from "../../../src/compose.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { REVIEWER, REVIEWER_ENTRY, REVIEWER_PROMPT } from "../../fakes/reviewer.ts";
import { BUILDER, BUILT, GRANITE, lastSaid, plan, WALL } from "../../fakes/scripted-roles.ts";
import { promptFolder } from "../../models/prompt-folder.ts";
import { statuses } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const partsWith = (prompt = REVIEWER_PROMPT) => ({
  roles: { reviewer: REVIEWER_ENTRY },
  judges: [VERIFIER, REVIEWER],
  promptsDir: promptFolder({ "reviewer.md": prompt }),
});

const review = (risk: string, tasks: readonly object[] = []) =>
  say.component("reviewer-response", { allCompleted: risk === "low", overallFeedback: risk === "low" ? "" : "来源太弱。", risk, tasks });

it("judges after the verifier in every plan, demands a new plan, and then accepts", async () => {
  const parts = partsWith();
  const asked = await researchByModel(
    {
      "planner-response": [
        plan([
          { id: "T1", description: BUILDER },
          { id: "T2", description: "港墙是什么？" },
        ]),
        plan([
          { id: "T1", description: BUILDER },
          { id: "T2", description: WALL },
        ]),
      ],
      "reviewer-response": [review("high", [{ id: "T2", completed: false, feedback: "没有出处" }]), review("low")],
    },
    { question: `${BUILDER} ${WALL}`, systemContext: "只信档案。", models: { verifier: "m-check" } },
    { parts },
  );
  expect([asked.run.error, asked.model.unexpected]).toEqual([null, []]);
  const reviews = askedOf(asked, "reviewer-response");
  expect(reviews.map(({ body }) => body.model)).toEqual(["m-check", "m-check"]);
  expect(askedOf(asked, "verifier-response")).toHaveLength(2);
  expect(contentsOf(reviews[0]!, "system")[0]).toMatch(
    /^You review what others have verified\. Write in .*"risk": "low" \| "high".*只信档案。$/s,
  );
  expect(lastSaid(reviews[0]!)).toContain("Task T1:");
  const replanning = lastSaid(askedOf(asked, "planner-response")[1]!);
  expect(replanning).toContain("Said of it: 没有出处");
  expect(replanning).toContain("来源太弱。");
  expect(statuses(asked.run.todos)).toBe("T1 completed, T2 completed");
  expect(asked.run.termination?.reason).toBe("completed");
  expect(asked.run.report?.citations.map(({ quote }) => quote).toSorted()).toEqual([GRANITE, BUILT].toSorted());
  const shown = asked.of("component").filter(({ component }) => component === "reviewer-response");
  expect(shown.filter(({ partial }) => !partial)).toMatchObject([{ props: { risk: "high" } }, { props: { risk: "low" } }]);
  expect(shown.some(({ partial }) => partial)).toBe(true);
  await expectReplay(asked, parts);

  // Its prompt is part of the recording, as all prompts are.
  const recording = await readRecording(await asked.dossier.recordingLines(asked.run.id));
  const changed = await replay(recording, { tools: [], ...partsWith(`${REVIEWER_PROMPT}请更严格。\n`) });
  expect(changed.difference).toMatchObject({ place: "the prompt reviewer" });
});

it("has its own ledger row if it is unavailable, and the todos that it could not judge stay completed", async () => {
  const parts = partsWith();
  const asked = await researchByModel(
    { "planner-response": [plan([{ id: "T1", description: BUILDER }])], "reviewer-response": [say.text("好。")] },
    { question: BUILDER },
    { parts },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed");
  expect(asked.run.report?.ledger.filter(({ failure }) => failure !== null)).toMatchObject([{ what: "model", target: "verdict" }]);
});
