import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROLES, type Role } from "../../src/domain/roles.ts";
import { loadPrompts } from "../../src/models/prompts.ts";
import { promptFolder } from "./prompt-folder.ts";

const SHA256 = /^[0-9a-f]{64}$/;

describe("the built-in prompts", () => {
  it("have their placeholders replaced by verbatim values", async () => {
    const { render } = await loadPrompts();
    const text = await render("messages/writer-passages", { passages: "$& {{question}} <b>&amp;</b> {{{x}}}", question: "多高？" });
    expect(text).toContain("$& {{question}} <b>&amp;</b> {{{x}}}");
    expect(text).toContain("Question:\n多高？");
  });

  it.each(["decision", "writer", "agent"])("contain in %s the request's own context", async (role) => {
    const { render } = await loadPrompts();
    const values = { language: "Chinese (zh)", today: "2026-08-01", systemContext: "For a museum. 给博物馆。" };
    expect(await render(role, values)).toContain("For a museum. 给博物馆。");
  });

  it("never leave a placeholder unfilled, and exist under their own names only", async () => {
    const { render } = await loadPrompts();
    await expect(render("writer", { language: "zh" })).rejects.toMatchObject({
      code: "internal",
      message: expect.stringContaining("systemContext"),
    });
    await expect(render("decision-state", {})).rejects.toMatchObject({ code: "internal" });
  });

  it("are listed with their hash for the requested roles", async () => {
    const { hashesOf } = await loadPrompts();
    expect(hashesOf(["writer"])).toEqual({
      writer: expect.stringMatching(SHA256),
      "messages/writer-passages": expect.stringMatching(SHA256),
      "messages/writer-correction": expect.stringMatching(SHA256),
    });
    expect(Object.keys(hashesOf(["agent"]))).toEqual(["agent", "messages/agent-answer"]);
    expect(hashesOf([])).toEqual({});
  });
});

describe("a folder of the operator", () => {
  it("replaces the built-in files that it has, with or without spaces in a placeholder, and nothing else", async () => {
    const folder = promptFolder({
      "decision.md": '请用{{ language }}。{{systemContext}} {"a": {"b": 1}} {{today}}',
      "messages/agent-answer.md": "现在用{{language}}回答。",
      "README.md": "notes {{x}}",
      ".hidden.md": "{{y}}",
      "writer.md~": "",
    });
    const { render } = await loadPrompts({ folder });
    expect(await render("decision", { language: "中文", today: "2026-08-01", systemContext: "短" })).toBe(
      '请用中文。短 {"a": {"b": 1}} 2026-08-01',
    );
    expect(await render("messages/agent-answer", { language: "中文" })).toBe("现在用中文回答。");
    expect(await render("writer", { language: "zh", today: "2026-08-01", systemContext: "" })).toContain("You write a research report.");
  });

  it("may lack placeholders: what its role needs is appended, and counts for the hash", async () => {
    const folder = promptFolder({ "planner.md": "你负责规划。{{systemContext}}\n", "messages/agent-answer.md": "现在回答。" });
    const { render, inForce } = await loadPrompts({ folder });
    const appended = inForce.filter((prompt) => prompt.appended.length > 0);
    expect(appended.map(({ name, appended: names }) => [name, names])).toEqual([
      ["messages/agent-answer", ["language"]],
      ["planner", ["language", "today", "form"]],
    ]);
    expect(await render("planner", { language: "中文", today: "2026-08-01", systemContext: "短。", form: "{}" })).toBe(
      "你负责规划。短。\n\nLanguage: write in 中文.\n\nToday is 2026-08-01.\n\nAnswer with one JSON object of this form and nothing else:\n{}",
    );
    const whole = promptFolder({ "planner.md": appended[1]?.text ?? "" });
    const again = (await loadPrompts({ folder: whole })).inForce.find(({ name }) => name === "planner");
    expect([again?.sha256, again?.appended]).toEqual([appended[1]?.sha256, []]);
  });

  it("has the hash of the text that the model gets, whatever its line breaks", async () => {
    const text = "请用{{language}}。今天{{today}}。\n{{systemContext}}";
    const hashOf = async (content: string) => {
      const { hashesOf } = await loadPrompts({ folder: promptFolder({ "decision.md": content }) });
      return hashesOf(["decision"])["decision"];
    };
    // printf '请用{{language}}。今天{{today}}。\n{{systemContext}}' | sha256sum
    const expected = "cc4a0d3c7970d6171fcb0acef47b496f3f3dd753f9468db9970a4171a92a70c0";
    expect(await hashOf(text)).toBe(expected);
    expect(await hashOf(`\uFEFF${text.replaceAll("\n", "\r\n")}\r\n`)).toBe(expected);
    expect(await hashOf(`${text}!`)).not.toBe(expected);
  });
});

describe("a folder of prompts is refused with file and line", () => {
  it.each([
    [
      "an unknown placeholder",
      { "decision.md": "One\n{{langauge}} {{language}} {{today}} {{systemContext}}" },
      /decision\.md:2: \{\{langauge\}\} is not known here\. There are: \{\{language\}\}, \{\{today\}\}, \{\{systemContext\}\}/,
    ],
    ["an empty file", { "decision.md": " \n" }, /decision\.md:1: it is empty/],
    [
      "a section",
      { "decision.md": "{{language}}\n\n{{#systemContext}}x{{/systemContext}}{{systemContext}}" },
      /decision\.md:3: \{\{#systemContext\}\} is not known here/,
    ],
    ["a comment", { "decision.md": "{{! 注释 }}{{language}}{{systemContext}}" }, /decision\.md:1: \{\{! 注释 \}\} is not known here/],
    ["three braces", { "decision.md": "{{language}}\n{{{systemContext}}}" }, /decision\.md:2: \{\{\{systemContext\}\}\} is not known here/],
    [
      "braces that are not closed",
      { "decision.md": "{{language}}{{systemContext}}\n{{language}" },
      /decision\.md:2: \{\{language\} is not known here/,
    ],
    [
      "something else in braces",
      { "decision.md": "{{language}}{{systemContext}}{{两 个}}" },
      /decision\.md:1: \{\{两 个\}\} is not known here/,
    ],
    [
      "an unknown name",
      { "decison.md": "x" },
      /decison\.md:1: there is no prompt of that name; there are: decision\.md, messages\/decision-state\.md/,
    ],
    ["an unknown name in messages", { "messages/提示.md": "x" }, /messages\/提示\.md:1: there is no prompt of that name/],
    ["an unknown folder", { "message/agent-answer.md": "{{language}}" }, /message:1: there is no prompt of that name/],
    ["a file that is not UTF-8", { "decision.md": Uint8Array.of(0xc4, 0xe3) }, /decision\.md:1: the file is not UTF-8/],
    [
      "too long a file",
      { "decision.md": `{{language}}{{systemContext}}${"x".repeat(100_000)}` },
      /decision\.md:1: it has more than 100000 characters/,
    ],
  ])("for %s", async (_, files, message) => {
    const folder = promptFolder(files);
    await expect(loadPrompts({ folder })).rejects.toMatchObject({ code: "config_invalid", message: expect.stringMatching(message) });
  });

  it("for every error in it, at once", async () => {
    const folder = promptFolder({ "decision.md": "{{a}}\n{{b}}", "writer.md": "", "x.md": "y" });
    await expect(loadPrompts({ folder })).rejects.toMatchObject({
      faults: [
        [`${folder}/x.md:1`, "there is no prompt of that name"],
        [`${folder}/decision.md:1`, "{{a}} is not known here"],
        [`${folder}/decision.md:2`, "{{b}} is not known here"],
        [`${folder}/writer.md:1`, "it is empty"],
      ].map(([path, begin]) => ({ path, message: expect.stringContaining(begin ?? "") })),
    });
  });

  it("if it does not exist", async () => {
    const folder = join(tmpdir(), "no-such-folder-of-prompts");
    await expect(loadPrompts({ folder })).rejects.toMatchObject({ code: "config_invalid", message: expect.stringContaining(folder) });
  });
});

describe("the table of roles", () => {
  it("is in docs/prompts.md, with every placeholder and message", () => {
    const [table = ""] = /^\| role [\s\S]*?\n\n/m.exec(readFileSync("docs/prompts.md", "utf8")) ?? [];
    const rows = table.split("\n").filter((line) => line.startsWith("| `"));
    const listed = Object.entries(ROLES).map(([role, { does, placeholders, messages }]) => {
      const list = (names: readonly string[]) => names.map((name) => `\`{{${name}}}\``).join(", ");
      const said = Object.entries(messages).map(([name, places]) => `\`${name}\`: ${list(places)}`);
      return `| \`${role}\` | ${does} | ${list(placeholders)} | ${said.join("; ")} |`;
    });
    expect(rows).toEqual(listed);
  });

  const reviewer: Role = { does: "reviews", placeholders: ["report", "systemContext"], messages: {} };

  it("accepts a role with its own template", async () => {
    const builtIn = promptFolder({ "reviewer.md": "{{report}} {{systemContext}}" });
    const { render } = await loadPrompts({ builtIn, roles: { reviewer } });
    expect(await render("reviewer", { report: "报告", systemContext: "严格" })).toBe("报告 严格");
  });

  it("reports a built-in template that is missing", async () => {
    const missing = promptFolder({});
    await expect(loadPrompts({ builtIn: missing, roles: { reviewer } })).rejects.toThrow("reviewer.md:1: the file is missing");
  });
});
