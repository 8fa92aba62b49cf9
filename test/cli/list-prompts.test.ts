import { describe, expect, it } from "vitest";
import { listPrompts } from "../../src/cli/prompts.ts";
import { displayWidth } from "../../src/cli/terminal.ts";
import { promptPlaces, ROLES } from "../../src/domain/roles.ts";
import { promptFolder } from "../models/prompt-folder.ts";

const MODELS = { default: "qwen3:8b", roles: { writer: "通义千问-max" } };

const NAMES = promptPlaces(ROLES).map(({ name }) => name);

describe("for a terminal", () => {
  it("lists roles with their models, prompts with placeholders and hashes, and the files in force", async () => {
    const folder = promptFolder({ "writer.md": "{{language}} {{today}} {{systemContext}}" }, "提示词-");
    const { text, holds } = await listPrompts(folder, MODELS, false);
    expect(holds).toBe(true);
    const lines = text.split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "ROLE        MODEL         WHAT IT DOES",
      "decision    qwen3:8b      decides in the executor what to call and search for",
      "writer      通义千问-max  writes the report of the executor from passages",
    ]);
    // printf '{{language}} {{today}} {{systemContext}}' | sha256sum
    expect(text).toContain("\nwriter                         66559d35ce1d  {{language}} {{today}}\n");
    // A long path stands in a line of its own.
    expect(text.replaceAll(/\s+/g, " ")).toContain(` writer replaced ${folder}/writer.md `);
    expect(text).toContain("\nmessages/writer-correction     built-in  prompts/messages/writer-correction.md\n");
    expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
  });

  it("says that no prompt is used without a model, and which model answers if none is named", async () => {
    const none = await listPrompts(undefined, null, false);
    expect(none.text).toContain("\nwriter      -      writes");
    expect(none.text).toContain("No model is set");
    expect((await listPrompts(undefined, { default: "", roles: {} }, false)).text).toContain("\nagent       (the server's first)  answers");
  });

  it("prints every error with its place, and nothing else", async () => {
    const folder = promptFolder({ "writer.md": "{{language}} {{todya}}", "提示.md": "x" });
    const { text, holds } = await listPrompts(folder, MODELS, false);
    expect(holds).toBe(false);
    expect(text).toBe(
      `${folder}/提示.md:1: there is no prompt of that name; there are: ${NAMES.map((name) => `${name}.md`).join(", ")}\n${folder}/writer.md:1: {{todya}} is not known here. There are: {{language}}, {{today}}, {{systemContext}}\n`,
    );
  });
});

describe("as JSON", () => {
  it("prints everything on one line", async () => {
    const folder = promptFolder({ "agent.md": "" });
    const { text, holds } = await listPrompts(folder, MODELS, true);
    expect(holds).toBe(false);
    expect(text.trimEnd()).not.toContain("\n");
    const listed = JSON.parse(text);
    expect(listed.roles[1]).toEqual({ role: "writer", does: "writes the report of the executor from passages", model: "通义千问-max" });
    expect(listed.prompts.map(({ name }: { name: string }) => name)).toEqual(NAMES.filter((name) => name !== "agent"));
    expect(listed.prompts[0]).toMatchObject({ role: "decision", placeholders: ["language", "today", "systemContext"], from: "built-in" });
    expect(listed.prompts[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(listed.faults).toEqual([{ file: `${folder}/agent.md`, line: 1, message: "it is empty" }]);
  });
});
