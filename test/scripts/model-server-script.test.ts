import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readScript } from "../../scripts/model-server/read-script.ts";

const EXAMPLE = join(import.meta.dirname, "../../scripts/model-server/example.json");

it("reads the example, as plain data in the form of the behaviors", async () => {
  const { abilities, script } = await readScript(EXAMPLE);
  expect(abilities).toEqual({ models: ["scripted"], maxContextTokens: 32_000 });
  expect(script.map(({ kind }) => kind)).toEqual(["tool-calls", "status", "text"]);
});

it("prints the error of a file and its place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "script-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "script.json");
  await writeFile(file, '{"script":[{"kind":"text","text":"你好","delay":3}]}');
  await expect(readScript(file)).rejects.toThrow(/delay.*\n.*script\[0\]/s);
});
