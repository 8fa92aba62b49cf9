import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { runCli } from "../helpers/run-cli.ts";

const BUILDER = "Who built the lighthouse of Aldermoor?";

it("writes the report in each form", async () => {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const env = { SOURCES: "corpus", DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus") };
  const write = async (name: string, ...more: string[]) => {
    const file = join(dir, name);
    const { code, stdout, stderr } = await runCli(["ask", BUILDER, "--out", file, ...more], env);
    expect([code, stdout]).toEqual([0, more.includes("--json") ? expect.stringContaining('"status":"succeeded"') : ""]);
    expect(stderr).toContain(`report written to ${file}`);
    return readFile(file);
  };
  expect((await write("报告.md")).toString()).toContain("was built in 1874");
  expect((await write("r.html")).toString()).toMatch(/^<!doctype html>/i);
  expect(JSON.parse((await write("r.json", "--json")).toString()).citations[0].quote).toContain("1874");
  expect((await write("r.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
  expect((await write("r.docx")).subarray(0, 2).toString()).toBe("PK");
  const { stdout } = await runCli(["ask", BUILDER, "--format", "html"], env);
  expect(stdout).toMatch(/^<!doctype html>/i);
  expect((await runCli(["ask", BUILDER, "--out", join(dir, "none", "r.md")], env)).stderr).toContain("cannot be written");
});
