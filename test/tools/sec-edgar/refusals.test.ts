import { expect, test } from "vitest";
import { ArgumentsSchema } from "../../../src/tools/sec-edgar/arguments.ts";
import { SEC_EDGAR } from "../../../src/tools/sec-edgar/client.ts";
import { openEdgar } from "./open-edgar.ts";

const PROFILE = { what: "profile", company: "320193" };

test("a name and a contact address are sent to all three hosts", async () => {
  const edgar = await openEdgar({ contactEmail: "operator@example.org" });
  await edgar.call({ what: "profile", company: "Apple" });
  await edgar.call({ what: "search", query: "x" });
  expect(edgar.requests.map(({ headers }) => headers["user-agent"])).toEqual(
    Array.from({ length: 3 }, () => "Dossier operator@example.org"),
  );
});

test.each([403, 200])(
  "the page for undeclared clients means blocked, also with status %i, and the error names the setting",
  async (status) => {
    const edgar = await openEdgar({ instead: () => ({ status, file: "undeclared.html" }) });
    await expect(edgar.call(PROFILE)).rejects.toMatchObject({
      code: "blocked",
      message: "SEC EDGAR refused the request. It serves only clients that give a contact address: set CONTACT_EMAIL.",
    });
  },
);

test("a client that declared itself and is refused is not told to declare itself", async () => {
  const edgar = await openEdgar({ instead: () => ({ status: 403, file: "undeclared.html" }), contactEmail: "operator@example.org" });
  await expect(edgar.call(PROFILE)).rejects.toMatchObject({ code: "blocked", message: expect.not.stringContaining("set CONTACT_EMAIL") });
});

test.each([403, 429, 200])("the page for too many requests means rate_limited, also with status %i", async (status) => {
  const edgar = await openEdgar({ instead: () => ({ status, file: "too-fast.html" }) });
  await expect(edgar.call(PROFILE)).rejects.toMatchObject({ code: "rate_limited" });
});

test.each([
  [404, "no-such-key.xml"],
  [403, "access-denied.xml"],
  [200, "no-such-key.xml"],
])("status %i with %s means that there is no such file", async (status, file) => {
  const edgar = await openEdgar({ instead: () => ({ status, file }) });
  expect(await edgar.call(PROFILE)).toEqual({ text: "The SEC knows no company with the CIK 320193.", sources: [] });
});

test("an answer in another format is unreadable", async () => {
  const edgar = await openEdgar({ instead: () => ({ status: 200, file: "search-index.json" }) });
  await expect(edgar.call(PROFILE)).rejects.toMatchObject({ code: "unreadable" });
});

test("sends at most ten requests a second", () => {
  expect(SEC_EDGAR.rate).toEqual({ requests: 10, perMs: 1_000, concurrent: 4 });
});

test.each([
  [{ what: "profile" }, 'company: what "profile" needs it'],
  [{ what: "search", company: "Apple" }, 'query: what "search" needs it'],
  [{ what: "frame", period: "CY2023" }, 'concepts: what "frame" needs it'],
  [{ years: [2023] }, "company: is missing"],
])("%j is refused, and the error names what is missing", (args, fault) => {
  const { error } = ArgumentsSchema.safeParse(args);
  expect(error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([fault]);
});
