import { describe, expect, it } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { plan } from "../fakes/scripted-roles.ts";
import { WRITTEN_REPORTS, type WrittenReport } from "../fakes/written-reports.ts";
import { type Asked, askModel } from "../helpers/with-model.ts";
import { expectReplay, researchByModel } from "./research/roles-under-test.ts";

const closing = ({ missing }: WrittenReport): string => `\n\nANSWERS: partly\nMISSING: ${missing}\n`;

/** Asks the executor about the report's document. */
function askWriter(written: WrittenReport): Promise<Asked> {
  return askModel(
    [say.text(written.text + closing(written))],
    { question: written.question, sources: ["corpus"] },
    { corpus: { [written.title]: written.document }, parts: { tools: [] } },
  );
}

function askResearch(written: WrittenReport): Promise<Asked> {
  const { question, title, document, text, missing } = written;
  const summary = say.component("summary-response", { answer: text, answers: "partly", missing: [missing] });
  return researchByModel(
    { "planner-response": [plan([{ id: "T1", description: question }])], "summary-response": [summary], text: [say.text(text)] },
    { question, sources: ["corpus"] },
    { corpus: { [title]: document } },
  );
}

function expectWritten(report: Report | null, written: WrittenReport): void {
  const { blocks, headings, head, support, expression, invented, missing } = written;
  expect(report?.blocks.map(({ kind }) => kind)).toEqual(blocks);
  expect(report?.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []))).toEqual(headings);
  expect(report?.blocks.flatMap((block) => (block.kind === "table" ? block.head : []))).toEqual(head);
  expect(report?.claims.map((claim) => claim.support)).toEqual(support);
  expect(report?.claims[1]).toMatchObject({ support: "computed", expression });
  expect(report?.struck.map(({ text }) => text)).toEqual([invented]);
  expect(report).toMatchObject({ answers: "partly", missing: [missing] });
  expect(report?.citations.map(({ id }) => id)).toEqual(report?.citations.map((_, i) => i + 1));
  for (const heading of headings) expect(report?.markdown).toContain(heading);
  expect(report?.markdown).not.toMatch(/ANSWERS|MISSING|\[P1/);
}

describe.each(WRITTEN_REPORTS)("a report as a model means it: $question", (written) => {
  it("is kept by the executor, and streamed section by section", async () => {
    const asked = await askWriter(written);
    expectWritten(asked.run.report, written);
    expect(asked.run.termination).toMatchObject({ reason: "completed", detail: null });
    expect(asked.model.requests).toHaveLength(1);
    const streamed = asked.of("content").filter(({ callId }) => callId !== "report");
    expect(streamed.length).toBeGreaterThanOrEqual(written.blocks.length);
    const text = streamed.map(({ delta }) => delta).join("");
    for (const heading of written.headings) expect(text).toContain(`## ${heading}\n\n`);
    expect(text).toMatch(/^\| .* \|\n\| --- \| --- \|\n\| .* \[\d\] \|$/m);
    expect(text).not.toContain(written.invented);
    expect(text).not.toMatch(/ANSWERS|MISSING|\[P1/);
    await expectReplay(asked);
  });

  it("is kept by the graph research", async () => {
    const asked = await askResearch(written);
    expectWritten(asked.run.report, written);
    const [shown] = asked.of("component").filter((event) => event.component === "summary-response" && !event.partial);
    expect(shown?.props).toMatchObject({ answers: "partly", missing: [written.missing] });
    expect(JSON.stringify(shown?.props)).not.toContain(written.invented);
    await expectReplay(asked);
  });
});
