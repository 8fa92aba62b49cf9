import { expect, it } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { AskedRole } from "../../fakes/model-server/role-script.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { BUILDER, BUILT, lastSaid, plan } from "../../fakes/scripted-roles.ts";
import { countsOf, UNVERIFIED } from "../../helpers/claims.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { statuses, watch } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const SUM = "What do a ladder for 19 and a lamp for 23 cost together?";
const COLOUR = "问用户门应该是什么颜色。";

/** One agent calculates, the other asks its user; neither has anything to quote. */
function agent({ request }: AskedRole): Behavior {
  const results = request.body.messages.filter(({ role }) => role === "tool").length;
  const asks = contentsOf(request, "user").at(-1)?.includes(COLOUR);
  const steps = asks
    ? [say.toolCalls([{ name: "ask_user", arguments: { question: "什么颜色？" } }]), say.text("用户说：绿色。")]
    : [say.toolCalls([{ name: "calculator", arguments: { expression: "19 + 23" } }]), say.text("Together they cost 42.")];
  return steps[results] ?? say.text("");
}

const CALCULATED = { id: "T1", description: SUM, by: "agent" } as const;

it("shows a result that an agent calculates without a source, marked as such, and the run is completed", async () => {
  const asked = await researchByModel({ "planner-response": [plan([CALCULATED])], tools: agent }, { question: SUM });
  expect(statuses(asked.run.todos)).toBe("T1 completed");
  const [claim] = asked.run.report?.claims ?? [];
  expect(claim).toMatchObject({
    text: "Together they cost 42.",
    citations: [],
    ...UNVERIFIED,
    section: SUM,
  });
  expect(countsOf(asked.run.report)).toEqual({ sentences: 1, checked: 0, unverified: 1 });
  expect(asked.run.report?.markdown).toContain("Together they cost 42.");
  expect(asked.run.report?.missing).toEqual([]);
  expect(asked.run.termination).toEqual({ reason: "completed", node: "summarize", detail: "no sentence of the report is verified" });
  await expectReplay(asked);
});

it("shows the user's answer beside the quotes, and sends both to the summary", async () => {
  const asked = await researchByModel(
    {
      "planner-response": [
        plan([
          { id: "T1", description: BUILDER },
          { id: "二", description: COLOUR, by: "agent" },
        ]),
      ],
      tools: agent,
    },
    { question: `${BUILDER} ${COLOUR}` },
  );
  await asked.dossier.runs.answer(TENANT, asked.run.id, { answer: "绿色" });
  const { run } = await watch(asked.dossier, asked.run.id);
  expect(statuses(run.todos)).toBe("T1 completed, 二 completed");
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual([BUILT]);
  expect(run.report?.claims.at(-1)).toMatchObject({
    text: "用户说：绿色。",
    citations: [],
    ...UNVERIFIED,
    section: COLOUR,
  });
  expect(countsOf(run.report)).toEqual({ sentences: 2, checked: 1, unverified: 1 });
  expect(lastSaid(askedOf(asked, "summary-response")[0]!)).toContain("- (no source) 用户说：绿色。");
  expect(contentsOf(askedOf(asked, "summary-response")[0]!, "system").join()).toContain("A line that begins with (no source) is");
  expect(run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  await expectReplay({ ...asked, run });
});

it("ends with model_call_cap if a model is configured but the limits allow no call of it", async () => {
  const asked = await researchByModel({}, { question: BUILDER, limits: { modelCalls: 0 } });
  expect(asked.model.requests).toEqual([]);
  expect(asked.run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(BUILT);
  expect(asked.run.termination).toEqual({ reason: "model_call_cap", node: "summarize", detail: "rules wrote the report" });
  await expectReplay(asked);
});

it.each([
  [BUILDER, "Ada Penrose built it.", "It was built by Ada Penrose in nine days."],
  ["奥尔德穆尔灯塔是谁建的？", "它是艾达·彭罗斯建的。", "灯塔由艾达·彭罗斯在九天内建成。"],
])(
  "says of an agent's sentence whose quote is invented that it was not found, not that nothing is cited: %s",
  async (question, text, quote) => {
    const cites = ({ request }: AskedRole) =>
      contentsOf(request, "tool").length === 0
        ? say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor 灯塔" } }])
        : say.text(`${text} [S1: "${quote}"]`);
    const asked = await researchByModel(
      { "planner-response": [plan([{ id: "T1", description: question, by: "agent" }])], tools: cites },
      { question },
    );
    expect(statuses(asked.run.todos)).toBe("T1 completed");
    const reason = `quote_not_found: "${quote}"`;
    expect(asked.run.report?.claims.at(-1)).toMatchObject({ text, citations: [], support: "unverified", reason });
    await expectReplay(asked);
  },
);
