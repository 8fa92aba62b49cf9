import { describe, expect, it } from "vitest";
import { preferredWaitSeconds } from "../../src/http/headers.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { exchange, get, startApp } from "./app-under-test.ts";

describe("the waiting time that a client prefers", () => {
  it.each([
    ["wait=5", 5],
    ["WAIT = 5", 5],
    ['wait="7"', 7],
    ["wait=0", 0],
    ["respond-async, wait=10", 10],
    ['foo="a, wait=1", wait=2', 2],
    ["wait=3; strict", 3],
    ["wait=3, wait=4", 3],
    ["wait=99999999999", 60],
    ["wait=61", 60],
    ["", null],
    [undefined, null],
  ])("read from %j is %j seconds", (header, seconds) => {
    expect(preferredWaitSeconds(header)).toBe(seconds);
  });
});

/** Returns the type of a report for this `Accept` header, or the code of the problem if there is none. */
async function reportType(accept: string | undefined): Promise<string | undefined> {
  const { port, runs } = await startApp();
  const { id } = runs.add(sampleRun());
  const path = `/research/${id}/report`;
  const { status, headers, body } = await exchange(port, get(path, { Host: "localhost", ...(accept !== undefined && { Accept: accept }) }));
  return status === 200 ? headers.get("content-type")?.split(";")[0] : JSON.parse(body).code;
}

it("is part of the cache key even if no type fits", async () => {
  const { url, runs } = await startApp();
  const { id } = runs.add(sampleRun());
  const { status, headers } = await fetch(`${url}/research/${id}/report`, { headers: { accept: "image/png" } });
  expect([status, headers.get("vary")]).toEqual([406, expect.stringContaining("Accept")]);
});

describe("the type that a client prefers", () => {
  it.each([
    [undefined, "text/markdown"],
    ["", "text/markdown"],
    ["*/*", "text/markdown"],
    ["application/json", "application/json"],
    ["Application/JSON", "application/json"],
    ["text/*", "text/markdown"],
    ["application/*", "application/json"],
    ["text/markdown;q=0.4, text/html;q=0.5", "text/html"],
    ["text/markdown;q=0, */*", "application/json"],
    ["text/markdown;version=1;q=0.1, text/html", "text/html"],
    ["application/json; charset=utf-8", "application/json"],
    ["TEXT/HTML;level=2;charset=GB18030", "text/html"],
    ['application/pdf; title="年报; q=0, 草稿"; version=2.0', "application/pdf"],
    ['text/html;q=0.2;a="b", text/markdown;v="1";Q=0.1', "text/html"],
    ["audio/mpeg", "not_acceptable"],
    ["text/markdown;q=0", "not_acceptable"],
    [",,;;q=,", "not_acceptable"],
    ["x".repeat(10_000), "not_acceptable"],
    ['"'.repeat(10_000), "not_acceptable"],
  ])("by Accept: %.40s", async (accept, type) => {
    expect(await reportType(accept)).toBe(type);
  });
});
