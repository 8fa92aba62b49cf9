import { describe, expect, it } from "vitest";
import { createKeyStore } from "../../src/storage/key-store.ts";
import { DATABASES, openStoreIn } from "./open-store.ts";

const DAY_MS = 86_400_000;

async function open(name: (typeof DATABASES)[number]) {
  const { database } = await openStoreIn(name);
  const time = { now: 1_000 };
  return { keys: createKeyStore(database, () => time.now), time, database };
}

const KEY = { name: "研究组 script", tenant: "acme", scopes: ["ask", "read"], expiresAt: null } as const;

describe.each(DATABASES)("keys in %s", (name) => {
  it("are found by their secret, and needed from the first one on", async () => {
    const { keys } = await open(name);
    expect(await keys.areNeeded()).toBe(false);
    const { key, secret } = await keys.create(KEY);
    expect(secret).toMatch(/^dossier_[\w-]{43}$/);
    expect(await keys.find(secret)).toEqual(key);
    expect(key).toMatchObject({ ...KEY, createdAt: 1_000, revokedAt: null, isSession: false });
    expect(await keys.find(`${secret}x`)).toBeNull();
    expect(await keys.areNeeded()).toBe(true);
    expect(await keys.list()).toEqual([key]);
  });

  it("end when they expire or are revoked, with their sessions", async () => {
    const { keys, time } = await open(name);
    const short = await keys.create({ ...KEY, name: "short", expiresAt: 1_000 + DAY_MS });
    const long = await keys.create(KEY);
    const sessions = await Promise.all([short, long].map(({ key }) => keys.openSession(key, 7 * DAY_MS)));
    expect(sessions.map((one) => one?.session.expiresAt)).toEqual([1_000 + DAY_MS, 1_000 + 7 * DAY_MS]);
    time.now += DAY_MS;
    expect(await keys.find(short.secret)).toBeNull();
    expect(await keys.find(sessions[0]?.secret ?? "")).toBeNull();
    const own = await keys.find(sessions[1]?.secret ?? "");
    expect(own).toMatchObject({ ...KEY, expiresAt: 1_000 + 7 * DAY_MS, isSession: true });
    expect(await keys.validAmong([short.key.id, long.key.id, own?.id ?? ""])).toEqual(new Set([long.key.id, own?.id]));
    expect(await keys.revoke(KEY.name)).toMatchObject({ id: long.key.id, revokedAt: time.now });
    expect(await keys.find(long.secret)).toBeNull();
    expect(await keys.find(sessions[1]?.secret ?? "")).toBeNull();
    expect(await keys.openSession(long.key, DAY_MS)).toBeNull();
    expect(await keys.revoke(long.key.id)).toBeNull();
    expect((await keys.list()).map((key) => key.name)).toEqual(["short", KEY.name]);
  });

  it("leave a key alone when one of its sessions is signed out", async () => {
    const { keys } = await open(name);
    const { key, secret } = await keys.create(KEY);
    const opened = await keys.openSession(key, DAY_MS);
    await keys.revoke(opened?.session.id ?? "");
    expect(await keys.find(opened?.secret ?? "")).toBeNull();
    expect(await keys.find(secret)).toEqual(key);
  });

  it("have a hundred sessions at most, the latest ones", async () => {
    const { keys, time } = await open(name);
    const { key } = await keys.create(KEY);
    const secrets: string[] = [];
    for (let nth = 0; nth < 102; nth += 1) {
      time.now += 1;
      secrets.push((await keys.openSession(key, DAY_MS))?.secret ?? "");
    }
    const found = await Promise.all(secrets.map((secret) => keys.find(secret)));
    expect(found.map((one) => one !== null)).toEqual(secrets.map((_, nth) => nth >= 2));
  });

  it("are revoked by their id before a key that has it as its name", async () => {
    const { keys } = await open(name);
    const { key } = await keys.create(KEY);
    await keys.create({ ...KEY, name: key.id });
    expect(await keys.revoke(key.id)).toMatchObject({ name: KEY.name });
  });

  it("have names that no other valid key has", async () => {
    const { keys } = await open(name);
    const { secret } = await keys.create(KEY);
    await expect(keys.create(KEY)).rejects.toMatchObject({ code: "invalid_request" });
    await keys.revoke(KEY.name);
    await keys.create(KEY);
    expect(await keys.find(secret)).toBeNull();
  });

  it("of people who sign in are made once, and end with their sessions when the tenant or the scopes change", async () => {
    const { keys } = await open(name);
    const person = { ...KEY, name: "oidc:alice@example.org" };
    const key = await keys.ofPerson(person);
    expect(key).toMatchObject({ ...person, isSession: false });
    expect(await keys.ofPerson(person)).toEqual(key);
    for (const change of [{ tenant: "other" }, { scopes: ["ask", "read", "admin"] as const }, {}]) {
      const opened = await keys.openSession(await keys.ofPerson(person), DAY_MS);
      const changed = await keys.ofPerson({ ...person, ...change });
      expect(changed).toMatchObject({ ...person, ...change });
      expect((await keys.find(opened?.secret ?? "")) === null).toBe("tenant" in change || "scopes" in change);
    }
    expect((await keys.list()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });

  it("are stored without their secrets", async () => {
    const { keys, database } = await open(name);
    const { secret } = await keys.create(KEY);
    const { rows } = await database.db.getExecutor().executeQuery<object>(
      // biome-ignore lint/suspicious/noExplicitAny: a plain statement
      { sql: "select * from keys", parameters: [], query: { kind: "RawNode" } as any, queryId: { queryId: "1" } },
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice("dossier_".length));
  });
});
