import { text as collect } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PROGRAM } from "../../src/compose/process.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { isChecked } from "../../src/domain/report.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { startAgent } from "./agent/agent-under-test.ts";
import {
  answerOf,
  askInventor,
  CASES,
  cite,
  decides,
  ENGLISH,
  expectHonest,
  expectMarked,
  liesOf,
  sentencesOf,
  TEXT_FORMATS,
  TOWER,
} from "./invented-evidence.ts";

describe.each(CASES)("a model that invents: $question", (invention) => {
  const { honest, wrong, mark } = invention;
  const lies = liesOf(invention);
  const answer = answerOf(invention);
  const ask = (environment: Record<string, string>, answers: readonly string[] = [answer]) => askInventor(invention, environment, answers);

  it("no invention is in any format, and struck sentences are counted", async () => {
    const asked = await ask({ UNSUPPORTED_SENTENCES: "strike" });
    const { report } = asked.run;
    expect(sentencesOf(report, true)).toEqual(honest.map(([sentence]) => sentence));
    expect(report?.coverage).toEqual({ sentences: honest.length, supported: honest.length, unsupported: 0, struck: lies.length });
    await expectHonest(asked, invention, TEXT_FORMATS);
    expect(asked.model.requests.filter((request) => !decides(request))).toHaveLength(2);
  });

  it("kept by setting, inventions are marked, cite nothing and are counted", async () => {
    const asked = await ask({ UNSUPPORTED_SENTENCES: "show" });
    const { report } = asked.run;
    expect(sentencesOf(report, true)).toEqual(honest.map(([sentence]) => sentence));
    expect(report?.coverage).toEqual({ sentences: honest.length + lies.length, supported: honest.length, unsupported: lies.length });
    expect(report?.claims.filter(({ supported }) => !supported).flatMap(({ citations }) => citations)).toEqual([]);
    const lines = (report?.markdown ?? "").split("\n").filter((one) => one.startsWith("- ") && one.includes(mark));
    expect(lines).toHaveLength(lies.length);
    expect(lines.join("\n")).not.toMatch(/\[\d+\]|invented\.example/);
    await expectMarked(asked, invention, TEXT_FORMATS);
    const bundle = await collect(asked.dossier.runs.bundle(TENANT, asked.run.id));
    expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], renderedAgain: true });
  });

  it("kept by setting, a report is shown although none of its sentences is supported", async () => {
    const asked = await ask({ UNSUPPORTED_SENTENCES: "show" }, [lies.join("\n\n")]);
    expect(asked.run.report?.coverage).toEqual({ sentences: lies.length, supported: 0, unsupported: lies.length });
    expect(asked.run.report?.citations).toEqual([]);
    expect(asked.run.report?.markdown).not.toContain("invented.example");
    expect(asked.run.termination).toEqual({ reason: "completed", node: "summarize", detail: "no sentence of the report is verified" });
    expect(asked.of("run-ended").map(({ termination }) => termination)).toEqual([asked.run.termination]);
    const bundle = await collect(asked.dossier.runs.bundle(TENANT, asked.run.id));
    expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], claims: lies.length, renderedAgain: true });
  });

  it("a sentence that the correction repairs is kept, and the model was told what to repair", async () => {
    const asked = await ask({ UNSUPPORTED_SENTENCES: "strike" }, [answer, honest.map(cite).join("\n\n")]);
    const { report } = asked.run;
    expect(sentencesOf(report, true)).toEqual(honest.map(([sentence]) => sentence));
    expect(report?.coverage).toEqual({ sentences: honest.length, supported: honest.length, unsupported: 0 });
    const bundle = await collect(asked.dossier.runs.bundle(TENANT, asked.run.id));
    expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], claims: honest.length });
    const [, correction] = asked.model.requests.filter((request) => !decides(request));
    const told = correction === undefined ? "" : (contentsOf(correction, "user").at(-1) ?? "");
    for (const [sentence] of wrong) expect(told).toContain(sentence);
    expect(told).toContain("stands in none of the words that it quotes");
  });
});

it("the agent keeps sentences that their quotes do not support, marked and without a citation", async () => {
  const finder: Tool<{ query: string }> = {
    name: "finder",
    description: "Finds facts.",
    kind: "query",
    schema: z.object({ query: z.string() }),
    timeoutMs: 1_000,
    call: async () => ({
      text: ENGLISH,
      sources: [{ title: "Facts", url: "https://facts.example/1", publishedAt: null, snippet: ENGLISH, text: ENGLISH }],
    }),
  };
  const answer = [
    `Ada Penrose built it in 1931. [S1: "${TOWER}"]`,
    `Ada Penrose built it in 1913. [S1: "${TOWER}"]`,
    "I like lighthouses of 1850.",
    'It is told in doi:10.1234/abcd.5678 and arXiv:2101.00001. [S43b85dc749dd: "weighs 4 kg"]',
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
    ["It is told in [id removed] and [id removed].", false],
  ]);
  expect(run.report?.coverage).toMatchObject({ sentences: 4, bySupport: { unverified: 3 } });
  expect(run.report?.markdown).toMatch(/Ada Penrose built it in 1913\. .*not verified/);
  const bundle = await collect(agent.dossier.runs.bundle(TENANT, run.id));
  expect(verifyBundle(Buffer.from(bundle), PROGRAM)).toMatchObject({ faults: [], claims: 4, renderedAgain: true });
});
