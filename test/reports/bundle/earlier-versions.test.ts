import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/domain/run.ts";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import { createReportFiles } from "../../../src/reports/report-files.ts";
import { currentReport, type StoredReport } from "../../../src/storage/rows.ts";
import { bundleOf } from "./random-bundle.ts";

/** The version that made the bundles. It checks more of them than another one. */
const PROGRAM = "dossier 0.1.0";

const FOLDER = new URL("../../fixtures/bundles/", import.meta.url);
const read = (name: string): Promise<string> => readFile(new URL(name, FOLDER), "utf8");
const NAMES = ["executor-en", "quoting-zh", "research-en", "no-answer-en"];

describe.each(NAMES)("a bundle of version 1: %s", (name) => {
  it("verifies, without its Markdown being rendered by the rules of this version", async () => {
    expect(verifyBundle(Buffer.from(await read(`${name}.bundle.json`)), PROGRAM)).toMatchObject({ faults: [], renderedAgain: false });
  });

  it("names what was changed in it", async () => {
    const bundle = JSON.parse(await read(`${name}.bundle.json`));
    bundle.report.markdown += "x";
    bundle.run.question += "x";
    expect(verifyBundle(Buffer.from(JSON.stringify(bundle)), PROGRAM).faults).toEqual([
      "markdown: it is not the report that the log shows",
      "run: it was changed, as its sum tells",
      "markdown: it was changed, as its sum tells",
      "digest: the bundle as a whole does not match it",
    ]);
  });
});

it("a changed claim, citation or text of a bundle of version 1 is named", async () => {
  const bundle = JSON.parse(await read("executor-en.bundle.json"));
  bundle.report.claims[0].text = "Ada Penrose built it in 1974.";
  bundle.report.citations[1].quote = "It burns gas";
  const { faults } = verifyBundle(Buffer.from(JSON.stringify(bundle)), PROGRAM);
  expect(faults.map((fault) => fault.replace(/:.*/, ""))).toEqual(["citation 2", "claim 3", "claim 1", "claim 1", "citation 2", "digest"]);
});

describe("a stored report of a version without blocks", () => {
  const storedRun = async (): Promise<Run & { report: StoredReport }> => JSON.parse(await read("executor-en.run.json"));

  it("is shown by its sections, with the marks of that version", async () => {
    const run = await storedRun();
    const report = currentReport(run.report);
    if (report === null) throw new Error("The run has no report.");
    const files = createReportFiles({ program: PROGRAM });
    const signal = new AbortController().signal;
    const markdown = new TextDecoder().decode(await files.render({ ...run, report }, "md", signal));
    expect(markdown.slice(0, markdown.indexOf("[^1]:"))).toBe(`# Who built the lighthouse of Aldermoor?

## The builder

- Ada Penrose built it in 1874. [^1]
- It is the finest of the coast. **(not verified)**

Nobody judged whether this answers the question. Checked by code: 1 of 3 sentences is not verified.

Quotes support 2 of 3 sentences.

## The lamp

- Its lamp burns whale oil. [^2]

`);
    for (const format of ["html", "pdf", "docx"] as const) {
      expect((await files.render({ ...run, report }, format, signal)).byteLength).toBeGreaterThan(1_000);
    }
    await files.close();
  });

  it("makes a bundle of this version, which verifies by the sum of its Markdown", async () => {
    const run = await storedRun();
    const { documents } = JSON.parse(await read("executor-en.bundle.json"));
    const report = currentReport(run.report);
    if (report === null) throw new Error("The run has no report.");
    const text = await bundleOf(report, [{ ...documents[0], blocks: [] }], { question: run.question });
    expect(verifyBundle(Buffer.from(text), "another")).toMatchObject({ faults: [], claims: 3, citations: 2 });
  });
});
