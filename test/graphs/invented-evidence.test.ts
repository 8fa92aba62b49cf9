import { text as collect } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { PROGRAM } from "../../src/compose/process.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { countsOf } from "../helpers/claims.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { askModel } from "../helpers/with-model.ts";
import {
  answerOf,
  askInventor,
  CASES,
  checkedOf,
  cite,
  decides,
  expectHonest,
  expectHonestStream,
  liesOf,
  TEXT_FORMATS,
} from "./invented-evidence.ts";

describe.each(CASES)("a model that invents: $question", (invention) => {
  const { honest, wrong } = invention;
  const lies = liesOf(invention);
  const answer = answerOf(invention);
  const ask = (environment: Record<string, string>, answers: readonly string[] = [answer]) => askInventor(invention, environment, answers);

  it("no invention is in the report or the stream, and struck sentences are counted", async () => {
    const asked = await ask({ UNSUPPORTED_SENTENCES: "strike" });
    const { report } = asked.run;
    expect(report?.claims.map(({ text }) => text)).toEqual(honest.map(([sentence]) => sentence));
    expect(checkedOf(report)).toEqual(honest.map(([sentence]) => sentence));
    expect(report?.coverage).toMatchObject({ sentences: honest.length, struck: lies.length });
    expect(report?.struck).toHaveLength(lies.length);
    expectHonestStream(asked, invention);
    await expectHonest(asked, invention, TEXT_FORMATS);
    expect(asked.model.requests.filter((request) => !decides(request))).toHaveLength(2);
  });

  it("kept by setting, no lie is checked, and invented citations are struck all the same", async () => {
    const asked = await ask({ UNSUPPORTED_SENTENCES: "show" });
    const { report } = asked.run;
    expect(checkedOf(report)).toEqual(honest.map(([sentence]) => sentence));
    const unverified = report?.claims.filter(({ support }) => support === "unverified") ?? [];
    expect((report?.struck.length ?? 0) + unverified.length).toBe(lies.length);
    expect(JSON.stringify(report?.claims)).not.toMatch(/cheese|奶酪|salt|倒塌/);
    await expectHonest(asked, invention, TEXT_FORMATS);
    const bundle = await collect(asked.dossier.runs.bundle(TENANT, asked.run.id));
    expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], renderedAgain: true });
  });

  it("a sentence that the correction repairs is kept, and the model was told each fault once", async () => {
    const asked = await ask({}, [answer, honest.map(cite).join("\n\n")]);
    const { report } = asked.run;
    expect(checkedOf(report)).toEqual(honest.map(([sentence]) => sentence));
    expect(report?.struck).toEqual([]);
    const bundle = await collect(asked.dossier.runs.bundle(TENANT, asked.run.id));
    expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], claims: honest.length });
    const [, correction] = asked.model.requests.filter((request) => !decides(request));
    const told = correction === undefined ? "" : (contentsOf(correction, "user").at(-1) ?? "");
    const lines = told.split("\n").filter((line) => line.startsWith("- "));
    for (const [sentence] of wrong)
      expect(lines.some((line) => line.replaceAll(/`|（未检索到的地址）| \(not retrieved\)/g, "").includes(sentence))).toBe(true);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

it("shows a report although none of its sentences is checked, if unverified sentences are shown", async () => {
  const answer = say.text("I like lighthouses of 1850. They stood in 47 towns.");
  const { run, of } = await askModel((request) => (decides(request) ? say.text("Enough.") : answer), {
    question: "Who built the lighthouse of Aldermoor?",
  });
  expect(countsOf(run.report)).toEqual({ sentences: 2, checked: 0, unverified: 2 });
  expect(run.report?.citations).toEqual([]);
  expect(run.termination).toEqual({ reason: "completed", node: "summarize", detail: "no sentence of the report is verified" });
  expect(of("run-ended").map(({ termination }) => termination)).toEqual([run.termination]);
});
