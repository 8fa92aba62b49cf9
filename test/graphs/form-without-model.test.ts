import { expect, it } from "vitest";
import type { ResearchRequest } from "../../src/domain/request.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { expectReplay } from "./research/roles-under-test.ts";

const NOTE = "The model is not configured; the style or the instructions for the report were not followed.";
const ENGLISH = "When was the lighthouse of Aldermoor built?";
const CHINESE = "奥尔德穆尔灯塔建于哪一年？";

async function ask(request: Partial<ResearchRequest> & { question: string }) {
  const dossier = await openDossier();
  const { id } = await dossier.start(request);
  const run = await dossier.finish(id);
  expect(run.status).toBe("succeeded");
  await expectReplay({ dossier, run });
  return { run, entries: run.report?.ledger.filter(({ what }) => what === "model") };
}

it.each<[Partial<ResearchRequest> & { question: string }, string, string]>([
  [{ question: ENGLISH, graph: "research", report: { instructions: "Five points." } }, NOTE, "report.instructions"],
  [
    { question: CHINESE, report: { style: "answer", instructions: "只写一句话。" } },
    "模型没有配置；报告没有遵循所要求的样式或写法。",
    "report.style, report.instructions",
  ],
])("says once that the form of the report needs a model: %j", async (request, note, unused) => {
  const { run, entries } = await ask(request);
  const detail = `Not followed, because no model is configured: ${unused}.`;
  expect(entries).toEqual([
    { what: "model", source: "model", target: "form", outcome: "failed", results: 0, failure: "model_required", detail, ms: 0 },
  ]);
  expect(run.report?.claims.length).toBeGreaterThan(0);
  // The command line shows this text.
  expect(run.report?.markdown.split(note)).toHaveLength(2);
});

it("says it in a report without an answer, too", async () => {
  const { run } = await ask({ question: "谁画了伊索尔德·法罗的肖像？", report: { style: "brief" } });
  expect(run.termination?.reason).toBe("no_answer");
  expect(run.report?.markdown).toContain("- 模型没有配置；报告没有遵循所要求的样式或写法。");
  expect(run.report?.markdown).toContain("未遵循：没有配置");
});

it("names the limit if there is a model that the request does not let it ask", async () => {
  const { dossier } = await openWithModel(() => undefined, { parts: { tools: [] } });
  const { id } = await dossier.start({ question: CHINESE, report: { style: "brief" }, limits: { modelCalls: 0 } });
  const { report } = await dossier.finish(id);
  const detail = "Not followed, because the request allows no model call (limits.modelCalls): report.style.";
  expect(report?.ledger.filter(({ what }) => what === "model")).toMatchObject([{ failure: "model_unpaid", detail }]);
  expect(report?.markdown).toContain("模型不得调用，因为请求不允许调用模型；报告没有遵循所要求的样式或写法。");
});
