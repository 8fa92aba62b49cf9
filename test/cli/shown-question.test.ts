import { expect, it } from "vitest";
import { shownQuestion } from "../../src/cli/answers.ts";
import type { Pending } from "../../src/domain/run.ts";

function waiting(call: Pending["call"]): string {
  return shownQuestion({ id: "0.0", path: "", kind: "confirmation", prompt: "是否同意？", plan: null, call }).join("\n");
}

it("shows a terminal what to confirm, without characters that the terminal would interpret or hide", () => {
  const line = waiting({ tool: "files__write_file", arguments: { path: "/tmp/甲\u001b[2J", content: "a\u202eb\u200bc" } });
  expect(line).toBe(
    'waits for an answer: 是否同意？\n  {"tool":"files__write_file","arguments":{"path":"/tmp/甲\\u001b[2J","content":"a\\u202eb\\u200bc"}}',
  );
});

it("shows a question alone", () => {
  expect(waiting(null)).toBe("waits for an answer: 是否同意？");
});
