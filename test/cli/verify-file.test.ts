import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { verifyFile } from "../../src/cli/verify-file.ts";
import { QUOTED } from "../helpers/claims.ts";
import { bundleOf, documentOf, PROGRAM, reportOf } from "../reports/bundle/random-bundle.ts";

const TEXT = "Exports rose by 13 % in May. 出口增长了13%。";

it("verify counts the closest passages of a report without an answer", async () => {
  const dir = await mkdtemp(join(tmpdir(), "dossier-verify-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const document = documentOf(TEXT, "Exports", "https://example.org/exports");
  const passage = { sourceId: "S0", contentHash: document.contentHash, start: 0, end: 26, quote: TEXT.slice(0, 26) };
  const file = join(dir, "bundle.json");
  await writeFile(file, await bundleOf(reportOf([], [], [document], { closest: [passage] }), [document]));
  const { lines, holds } = await verifyFile({ file }, PROGRAM);
  expect(holds).toBe(true);
  expect(lines).toEqual([
    expect.stringMatching(/^0 citations hold, 1 closest passage holds, 0 claims, 1 document, Markdown as rendered, digest /),
  ]);
});

it("verify names a claim of 30 % with a quote of 13 %, and only warns of it if another version made the bundle", async () => {
  const dir = await mkdtemp(join(tmpdir(), "dossier-verify-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const document = documentOf(TEXT, "Exports", "https://example.org/exports");
  const citation = { id: 1, sourceId: "S0", contentHash: document.contentHash, start: 0, end: TEXT.length, quote: TEXT };
  const claims = ["Exports rose by 30 % in May.", "出口增长了三成。", "出口增长了百分之十三。"].map((text) => ({
    ...{ text, citations: [1], ...QUOTED, section: "" },
  }));
  const file = join(dir, "bundle.json");
  await writeFile(file, await bundleOf(reportOf(claims, [citation], [document]), [document]));
  const named = [
    "claim 1: it says what none of its quotes says: 30 %",
    expect.stringMatching(/^claim 2: it says what none of its quotes says: /),
  ];
  expect(await verifyFile({ file }, PROGRAM)).toEqual({ lines: named, holds: false });
  const { lines, holds } = await verifyFile({ file }, "dossier 9.0.0");
  expect([holds, lines.length]).toEqual([true, 4]);
  expect(lines.slice(2)).toEqual([
    "WARNING: by the rules of dossier 9.0.0, which did not make it: claim 1: it says what none of its quotes says: 30 %",
    expect.stringContaining("which did not make it: claim 2: "),
  ]);
});
