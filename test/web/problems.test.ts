import { expect, it } from "vitest";
import { ERROR_KINDS } from "../../src/errors.ts";
import { problemWords } from "../../web/src/ui/problem-words.ts";
import { sayCode, sayProblem } from "../../web/src/ui/say-problem.ts";

const HAN = /\p{sc=Han}/u;

it("says every code that the API documents in both languages", () => {
  for (const code of Object.keys(problemWords.en)) expect(Object.keys(ERROR_KINDS)).toContain(code);
  for (const [code, word] of Object.entries(problemWords.zh)) expect([code, word]).toEqual([code, expect.stringMatching(HAN)]);
  expect(sayCode("of_a_later_version", "zh")).toBeNull();
});

it("names the fields and files, and has no words of machines", () => {
  const faults = [
    { path: "/limits/downloads", message: "at most 60 on this server", limit: 60 },
    { path: "/question", message: "must not be empty" },
    { path: "/plan/todos/1/dependsOn/0", message: "names no todo" },
  ];
  const problem = { code: "limit_too_high", message: "downloads: at most 60 on this server.", faults };
  expect(sayProblem(problem, "en").fields).toEqual(["Documents: at most 60", "Question: must not be empty", "Plan, todo 2: names no todo"]);
  expect(sayProblem(problem, "zh")).toEqual({
    line: "有一项限额超过了服务器允许的上限。没有保存任何内容。",
    fields: ["文档数：最多 60", "问题", "计划的任务 2"],
    original: "downloads: at most 60 on this server. (limit_too_high)",
  });
  const file = { code: "unsupported_document", message: "b.pdf is not …", faults: [{ path: "/documents/1", message: "b.pdf is not …" }] };
  expect(sayProblem(file, "zh", ["a.pdf", "乙.pdf"]).fields).toEqual(["乙.pdf"]);
  expect(sayProblem(file, "en").fields).toEqual(["File 2"]);
});

it("falls back to the server's own sentence for a code that it does not know", () => {
  expect(sayProblem({ code: "new", message: "It is new." }, "zh")).toEqual({ line: "It is new.", fields: [], original: null });
});
