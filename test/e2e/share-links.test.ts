import { describe, expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { startService } from "../helpers/start-service.ts";
import { DATABASES } from "../storage/open-store.ts";

const DAY_MS = 86_400_000;

async function open(database: (typeof DATABASES)[number]) {
  const time = { now: Date.UTC(2026, 0, 1) };
  const environment = database === "SQLite" ? {} : { DATABASE_URL: await createDatabase() };
  const service = await startService({ environment, parts: { clock: () => time.now } });
  const { secret } = await service.keys.create({ name: "研究", tenant: "acme", scopes: ["ask"], expiresAt: null });
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", prefer: "wait=60" };
  const send = (method: string, path: string, body?: object, more = {}) =>
    fetch(service.url + path, { method, headers: { ...headers, ...more }, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const run = (await (await send("POST", "/research", { question: "奥尔德穆尔灯塔的灯烧什么？", sources: ["corpus"] })).json()) as Run;
  return { service, time, send, run };
}

describe.each(DATABASES)("a link to a report in %s", (database) => {
  it("shows the report, and nothing else, to whoever has it, until it expires or is revoked", async () => {
    const { service, time, send, run } = await open(database);
    const links = `/research/${run.id}/share-links`;
    const create = async (body: object) => {
      const response = await send("POST", links, body);
      expect(response.status).toBe(201);
      return (await response.json()) as { id: string; expiresAt: string; links: { self: string } };
    };
    const [short, long] = [await create({ expiresInDays: 1 }), await create({})];
    expect(long.expiresAt).toBe("2026-01-31T00:00:00.000Z");
    const read = (path: string, accept = "text/html") => fetch(service.url + path, { headers: { accept } });
    const page = await read(short.links.self);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("鲸油");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("x-robots-tag")).toContain("noindex");
    expect(await (await read(`${long.links.self}?format=md`)).text()).toContain("鲸油");
    const secret = short.links.self.slice("/shared/".length);
    for (const path of [`/research/${run.id}`, `/research/${run.id}/report`, "/research"]) {
      expect((await read(path)).status).toBe(401);
      expect((await fetch(service.url + path, { headers: { "x-api-key": secret } })).status).toBe(401);
    }
    const listed = (await (await send("GET", links)).json()) as { links: { id: string; createdBy: string }[] };
    expect(listed.links.map(({ id }) => id).toSorted()).toEqual([short.id, long.id].toSorted());
    expect(listed.links[0]?.createdBy).toBe("研究");
    expect(JSON.stringify(listed)).not.toContain(secret);
    time.now += DAY_MS;
    expect((await read(short.links.self)).status).toBe(404);
    expect((await read(long.links.self)).status).toBe(200);
    expect((await send("DELETE", `${links}/${long.id}`)).status).toBe(204);
    expect((await read(long.links.self)).status).toBe(404);
    expect((await send("DELETE", `${links}/${long.id}`)).status).toBe(404);
    expect(await (await send("GET", links)).json()).toEqual({ links: [] });
  });

  it("ends with its run, and is not made without a report", async () => {
    const { service, send, run } = await open(database);
    const created = (await (await send("POST", `/research/${run.id}/share-links`, {})).json()) as { links: { self: string } };
    expect((await send("DELETE", `/research/${run.id}`)).status).toBe(204);
    expect((await fetch(service.url + created.links.self)).status).toBe(404);
    const later = { question: "?? q", startAfter: "2027-01-01T00:00:00Z" };
    const waiting = (await (await send("POST", "/research", later, { prefer: "respond-async" })).json()) as Run;
    expect((await send("POST", `/research/${waiting.id}/share-links`, {})).status).toBe(409);
  });
});
