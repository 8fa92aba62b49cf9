import { expect, it } from "vitest";
import { sanitizeToolCall } from "../../src/evidence/sanitize-output.ts";

const ADDRESS = "See https://evil.example/a and [here](https://known.example/b). ";

it("marks the addresses in the arguments of a call", () => {
  const call = { id: "call-1", name: "finish_task", arguments: { more: [ADDRESS] } };
  expect(sanitizeToolCall(call, [])).toEqual({
    id: "call-1",
    name: "finish_task",
    arguments: { more: ["See `https://evil.example/a` (not retrieved) and [here](`https://known.example/b` (not retrieved)). "] },
  });
});
