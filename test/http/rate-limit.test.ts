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

it("looks at no more keys of an address after as many in a minute that are not valid, and goes on for requests without a key", async () => {
  const tenancy = await openMemoryTenancy();
  const { url } = await startApp({ tenancy, requestsPerMinute: 3 });
  const { secret } = await tenancy.keys.create({ name: "研究", tenant: "t", scopes: ["ask"], expiresAt: null });
  const get = (key: string, path = "/research") => fetch(url + path, { headers: { "x-api-key": key } });
  for (let guess = 0; guess < 3; guess += 1) expect((await get(`dossier_${guess}`)).status).toBe(401);
  const refused = await get(secret);
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: "rate_limited", detail: expect.stringContaining("your address") },
  ]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await fetch(`${url}/research`)).status).toBe(401);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
