import { expect, it } from "vitest";
import { strippedAddresses, stripUnknownAddresses } from "../../src/evidence/address-filter.ts";
import { sanitizedToolCall } from "../../src/evidence/sanitize-output.ts";
import { finish, type LongWork } from "../../src/util/turns.ts";
import { HOSTILE_TEXTS } from "../hostile/texts.ts";

const LENGTH = 30_000;
const ADDRESS = "See https://evil.example/a and [here](https://known.example/b). ";

function countYields(work: LongWork<unknown>): number {
  let count = 0;
  while (work.next().done !== true) count += 1;
  return count;
}

it.each(HOSTILE_TEXTS.map(([name, textOf]) => [name, textOf(LENGTH)]))("gives the same in pieces as in one: %s", (_, text) => {
  const both = `${text}${ADDRESS}${text}`;
  expect(finish(strippedAddresses(both, ["https://known.example/b"]))).toBe(stripUnknownAddresses(both, ["https://known.example/b"]));
});

it("lets other work run within a megabyte of a call's arguments", () => {
  const call = {
    id: "call-1",
    name: "finish_task",
    arguments: { answer: "A line, with marks. ".repeat(50_000), more: [ADDRESS, ADDRESS] },
  };
  expect(countYields(sanitizedToolCall(call, []))).toBeGreaterThan(100);
  expect(finish(sanitizedToolCall({ ...call, arguments: { more: [ADDRESS] } }, []))).toEqual({
    id: "call-1",
    name: "finish_task",
    arguments: { more: ["See `https://evil.example/a` (not retrieved) and [here](`https://known.example/b` (not retrieved)). "] },
  });
});
