import { expect, it } from "vitest";
import { postJson, startApp } from "./app-under-test.ts";

const many = (count: number, one: (index: number) => string): string => Array.from({ length: count }, (_, i) => one(i)).join(",");

it.each([
  ["metadata with 110,000 fields", `{"question":"a","metadata":{${many(110_000, (i) => `"${i.toString(16)}":0`)}}}`],
  ["110,000 unknown fields", `{"question":"a",${many(110_000, (i) => `"${i.toString(16)}":0`)}}`],
  ["a list of 500,000 numbers", `{"question":"a","sources":[${many(500_000, () => "0")}]}`],
  ["330,000 objects", `{"question":"a","team":{"agents":[${many(330_000, () => "{}")}]}}`],
])("refuses %s before its values are checked", async (_, body) => {
  const { url } = await startApp();
  const response = await postJson(`${url}/research`, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_request", detail: expect.stringContaining("20000 values") });
});

it("takes commas and brackets of texts for text", async () => {
  const { url } = await startApp();
  const systemContext = '[{,"'.repeat(5_000);
  expect((await postJson(`${url}/research`, { question: "a", systemContext })).status).toBe(202);
  expect((await postJson(`${url}/research`, { question: "a", metadata: { list: Array.from({ length: 7_900 }, () => 0) } })).status).toBe(
    202,
  );
});
