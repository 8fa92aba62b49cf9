import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPrompts } from "../../src/prompts/load-prompts.ts";

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "prompts-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

it("fills the places of a prompt with values as they are", async () => {
  const prompts = await loadPrompts();
  const text = await prompts("writer-passages", { passages: "$& {{question}} <b>&amp;</b> {{{x}}}", question: "多高？" });
  expect(text).toContain("$& {{question}} <b>&amp;</b> {{{x}}}");
  expect(text).toContain("Question:\n多高？");
});

it.each(["decision", "writer"])("has a place for the context of a request in %s", async (name) => {
  expect(await (await loadPrompts())(name, { language: "Chinese (zh)", systemContext: "For a museum." })).toContain("For a museum.");
  expect(readFileSync(`prompts/${name}.md`, "utf8")).toContain("{{systemContext}}");
});

it("takes a prompt of the operator in place of the built-in one", async () => {
  const folder = folderWith({ "decision.md": "请用{{language}}。{{systemContext}}", "README.md": "notes" });
  expect(await (await loadPrompts(folder))("decision", { language: "中文", systemContext: "短" })).toBe("请用中文。短");
});

describe("a folder of prompts is refused with file and line", () => {
  it.each([
    [
      { "decision.md": "One\n{{langauge}} {{systemContext}}" },
      /decision\.md:2: \{\{langauge\}\} is not known here; there are: \{\{language\}\}/,
    ],
    [{ "decision.md": "One\nTwo {{language}}" }, /decision\.md:2: \{\{systemContext\}\} is missing/],
    [{ "decision.md": " \n" }, /decision\.md:1: the file is empty/],
    [{ "decision.md": "{{language}}\n\n{{#systemContext}}x{{/systemContext}}" }, /decision\.md:3: \{\{#systemContext\}\} is no place/],
    [{ "decison.md": "x" }, /decison\.md:1: there is no prompt of that name; there are: .*decision/],
  ])("%j", async (files, message) => {
    await expect(loadPrompts(folderWith(files))).rejects.toMatchObject({ code: "config_invalid", message: expect.stringMatching(message) });
  });

  it("where it is not there", async () => {
    await expect(loadPrompts(join(tmpdir(), "no-such-folder-of-prompts"))).rejects.toMatchObject({ code: "config_invalid" });
  });
});
