import { describe, expect, it } from "vitest";
import type { Report } from "../../src/domain/report.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { lastSaid, plan } from "../fakes/scripted-roles.ts";
import { WRITTEN_REPORTS, type WrittenReport } from "../fakes/written-reports.ts";
import { type Asked, askModel } from "../helpers/with-model.ts";
import { expectReplay, researchByModel } from "./research/roles-under-test.ts";

const checksSupport = (request: SeenRequest): boolean => contentsOf(request, "system").join().startsWith("You check sentences");
const closing = ({ missing }: WrittenReport): string => `\n\nANSWERS: partly\nMISSING: ${missing}\n`;

/** Confirms each sentence but the one to deny. */
function verdicts(request: SeenRequest, { denied }: WrittenReport): Behavior {
  const sentences = [...lastSaid(request).matchAll(/<data sentence-(\d+) \w+>\n(.*)\n/g)];
  return say.text(sentences.map(([, number, text]) => `${number}: ${text === denied ? "no" : "yes"}`).join("\n"));
}

/** Asks the executor about the report's document; the writer gives these texts in order. */
function askWriter(written: WrittenReport, environment: Record<string, string> = {}, texts?: readonly string[]): Promise<Asked> {
  const answers = texts ?? [written.text + closing(written)];
  let asked = 0;
  return askModel(
    (request) => (checksSupport(request) ? verdicts(request, written) : say.text(answers[asked++] ?? "")),
    { question: written.question, sources: ["corpus"] },
    { environment, corpus: { [written.title]: written.document }, parts: { tools: [] } },
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

  it("is corrected once if its first text has too many faults, and the better text is kept", async () => {
    const faulty = `${written.invented} [P1: "an invented quote of words"]`;
    const asked = await askWriter(written, {}, [faulty, written.text + closing(written)]);
    expectWritten(asked.run.report, written);
    expect(asked.model.requests).toHaveLength(2);
    const told = lastSaid(asked.model.requests[1] as SeenRequest);
    expect(told.split("\n").filter((line) => line.startsWith(`- ${written.invented}`))).toHaveLength(1);
    expect(asked.of("call-restarted")).toHaveLength(1);
  });

  it("has its paraphrased sentences confirmed or denied by a model with SUPPORT_CHECK=model", async () => {
    const asked = await askWriter(written, { SUPPORT_CHECK: "model" });
    const claimOf = (text: string) => asked.run.report?.claims.find((claim) => claim.text === text);
    expect(claimOf(written.confirmed)).toMatchObject({ support: "paraphrased", supported: true });
    expect(claimOf(written.denied)).toMatchObject({ support: "unverified", supported: false, reason: "model_disagrees" });
    expect(asked.model.requests.filter(checksSupport)).toHaveLength(2);
    await expectReplay(asked);
  });

  it("loses what a model denies with UNSUPPORTED_SENTENCES=strike, and its other blocks stay", async () => {
    const { run } = await askWriter(written, { SUPPORT_CHECK: "model", UNSUPPORTED_SENTENCES: "strike" });
    expect(run.report?.struck.map(({ text }) => text).toSorted()).toEqual([written.denied, written.invented].toSorted());
    expect(run.report?.claims.map((claim) => claim.text)).not.toContain(written.denied);
    expect(run.report?.blocks.map(({ kind }) => kind)).toEqual(written.blocks.toSpliced(2, 1));
  });
});

it("takes the closing lines for what the report answers", async () => {
  const [written] = WRITTEN_REPORTS as [WrittenReport];
  const sentence = 'Northwind opened 14 stores in Norway. [P1: "Northwind opened 14 stores in Norway"]';
  const { run, of } = await askWriter(written, {}, [`${sentence}\n\nANSWERS: not\nMISSING: the revenue; the outlook`]);
  expect(run.report).toMatchObject({ answers: "not", missing: ["the revenue", "the outlook"] });
  expect(run.report?.claims).toHaveLength(1);
  const streamed = of("content").filter(({ callId }) => callId !== "report");
  expect(streamed.map(({ delta }) => delta).join("")).toBe("Northwind opened 14 stores in Norway. [1]\n\n");
});
