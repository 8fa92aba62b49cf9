import { expect, it } from "vitest";
import { openMemoryTenancy } from "../helpers/memory-tenancy.ts";
import { startApp } from "./app-under-test.ts";

it("refuses more requests a minute of a key than allowed, of this key only, and says when to try again", async () => {
  const tenancy = await openMemoryTenancy();
  const { url } = await startApp({ tenancy, requestsPerMinute: 3 });
  const create = async (name: string) => (await tenancy.keys.create({ name, tenant: "t", scopes: ["ask"], expiresAt: null })).secret;
  const [mine, other] = [await create("研究"), await create("b")];
  const get = (secret: string, path = "/research") => fetch(url + path, { headers: { "x-api-key": secret } });
  for (const left of ["2", "1", "0"]) {
    const response = await get(mine);
    expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([200, left]);
  }
  const refused = await get(mine);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("content-type")).toContain("application/problem+json");
  expect(await refused.json()).toMatchObject({ code: "rate_limited", detail: expect.stringContaining("REQUESTS_PER_MINUTE=3") });
  expect((await get(other)).status).toBe(200);
  expect((await get(mine, "/healthz")).status).toBe(200);
});

it("serves a valid key, however many keys from its address are not valid", async () => {
  const tenancy = await openMemoryTenancy();
  const { url } = await startApp({ tenancy, requestsPerMinute: 3 });
  const { secret } = await tenancy.keys.create({ name: "研究", tenant: "t", scopes: ["ask"], expiresAt: null });
  const statusFor = async (key: string) => (await fetch(`${url}/research`, { headers: { "x-api-key": key } })).status;
  for (let guess = 0; guess < 5; guess += 1) expect(await statusFor(`dossier_${guess}`)).toBe(401);
  expect(await statusFor(secret)).toBe(200);
});
