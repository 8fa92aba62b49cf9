import { text as collect } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PROGRAM } from "../../src/compose/process.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { isChecked } from "../../src/domain/report.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { countsOf } from "../helpers/claims.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { askModel } from "../helpers/with-model.ts";
import { startAgent } from "./agent/agent-under-test.ts";
import {
  answerOf,
  askInventor,
  CASES,
  checkedOf,
  cite,
  decides,
  ENGLISH,
  expectHonest,
  expectHonestStream,
  liesOf,
  TEXT_FORMATS,
  TOWER,
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

it("the agent keeps sentences that their quotes do not support, marked and without a citation", async () => {
  const finder: Tool<{ query: string }> = {
    name: "finder",
    description: "Finds facts.",
    kind: "query",
    schema: z.object({ query: z.string() }),
    timeoutMs: 100_000,
    call: async () => ({
      text: ENGLISH,
      sources: [{ title: "Facts", url: "https://facts.example/1", publishedAt: null, snippet: ENGLISH, text: ENGLISH }],
    }),
  };
  const answer = [
    `Ada Penrose built it in 1931. [S1: "${TOWER}"]`,
    `Ada Penrose built it in 1913. [S1: "${TOWER}"]`,
    "I like lighthouses of 1850.",
  ].join("\n\n");
  const agent = await startAgent([say.toolCalls([{ name: "finder", arguments: { query: "lighthouse" } }]), say.text(answer)], {
    parts: { tools: [finder] as never },
    environment: { SOURCES: "finder" },
  });
  const { run } = await agent.ask("Who built it?");
  expect(run.report?.claims.map((claim) => [claim.text, isChecked(claim)])).toEqual([
    ["Ada Penrose built it in 1931.", true],
    ["Ada Penrose built it in 1913.", false],
    ["I like lighthouses of 1850.", false],
  ]);
  expect(run.report?.coverage).toMatchObject({ sentences: 3, bySupport: { unverified: 2 } });
  expect(run.report?.markdown).toMatch(/Ada Penrose built it in 1913\. .*not verified/);
  const bundle = await collect(agent.dossier.runs.bundle(TENANT, run.id));
  expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], claims: 3, renderedAgain: true });
});
