import { describe, expect, it } from "vitest";
import { openMemoryTenancy } from "../helpers/memory-tenancy.ts";
import { startApp } from "./app-under-test.ts";

const DAY_MS = 86_400_000;
const QUESTION = JSON.stringify({ question: "谁建了灯塔？" });
const JSON_BODY = { "content-type": "application/json" };

async function openApp(options: { allowAnonymous?: boolean } = {}) {
  const time = { now: Date.UTC(2026, 0, 1) };
  const tenancy = await openMemoryTenancy(() => time.now);
  const { keys } = tenancy;
  const { url, runs, logLines } = await startApp({ tenancy, ...options });
  const create = async (name: string, scopes: readonly ("ask" | "read" | "admin")[] = ["ask", "read"], tenant = "acme") =>
    (await keys.create({ name, tenant, scopes, expiresAt: null })).secret;
  const status = async (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET", body?: string) => {
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
    const { code = null } = response.headers.get("content-type")?.includes("problem") ? ((await response.json()) as { code: string }) : {};
    return { status: response.status, code, challenge: response.headers.get("www-authenticate") };
  };
  return { url, runs, logLines, keys, time, create, status };
}

describe("a service without keys", () => {
  it("serves everybody, and nobody without a key from the first key on", async () => {
    const { create, status } = await openApp();
    expect(await status("/research")).toMatchObject({ status: 200 });
    await create("first");
    expect(await status("/research")).toEqual({ status: 401, code: "unauthorized", challenge: "Bearer" });
  });
});

describe("a service with keys", () => {
  it.each([
    ["authorization", (secret: string) => `Bearer ${secret}`],
    ["authorization", (secret: string) => `bearer ${secret}`],
    ["x-api-key", (secret: string) => secret],
  ])("takes a key as %s", async (header, sent) => {
    const { create, status } = await openApp();
    const secret = await create("one");
    expect(await status("/research", { [header]: sent(secret) })).toMatchObject({ status: 200 });
    expect(await status("/research", { [header]: sent(`${secret}0`) })).toMatchObject({ status: 401, code: "unauthorized" });
  });

  it.each(["Bearer", "Bearer ", "Bearer dossier_x y"])(
    "refuses %j, which an unset variable of a script leaves, also if it serves everybody",
    async (authorization) => {
      const { create, status } = await openApp({ allowAnonymous: true });
      await create("one");
      expect(await status("/research", { authorization })).toMatchObject({ status: 401 });
      expect(await status("/research", { authorization: "Basic cHJveHk6eA==" })).toMatchObject({ status: 200 });
    },
  );

  it("refuses a key that has expired", async () => {
    const { keys, time, status } = await openApp();
    const { secret } = await keys.create({ name: "a", tenant: "t", scopes: ["read"], expiresAt: time.now + DAY_MS });
    expect(await status("/research", { "x-api-key": secret })).toMatchObject({ status: 200 });
    time.now += DAY_MS;
    expect(await status("/research", { "x-api-key": secret })).toMatchObject({ status: 401 });
  });

  it("shows the page, its documentation and its health to everybody", async () => {
    const { create, status } = await openApp();
    await create("one");
    for (const path of ["/", "/history", "/docs", "/openapi.json", "/healthz", "/readyz"])
      expect({ path, ...(await status(path)) }).toMatchObject({ path, status: 200 });
    expect(await status("/nowhere")).toMatchObject({ status: 404 });
  });

  it("lets a key do only what its scopes name", async () => {
    const { create, status } = await openApp();
    const [ask, read, admin, operator] = await Promise.all([
      create("a", ["ask"]),
      create("b", ["read"]),
      create("c", ["admin"]),
      create("d", ["admin"], "default"),
    ]);
    const outcomes = async (secret: string) => {
      const key = { "x-api-key": secret };
      const asked = [status("/research", { ...key, ...JSON_BODY }, "POST", QUESTION), status("/research", key), status("/workers", key)];
      return (await Promise.all(asked)).map((one) => one.code ?? one.status);
    };
    expect(await outcomes(ask)).toEqual([202, 200, "missing_scope"]);
    expect(await outcomes(read)).toEqual(["missing_scope", 200, "missing_scope"]);
    expect(await outcomes(admin)).toEqual(["missing_scope", "missing_scope", "missing_scope"]);
    expect(await outcomes(operator)).toEqual(["missing_scope", "missing_scope", 200]);
  });

  it("serves everybody if it was told to, but nobody with a wrong key", async () => {
    const { create, status } = await openApp({ allowAnonymous: true });
    await create("one");
    expect(await status("/research")).toMatchObject({ status: 200 });
    expect(await status("/research", { "x-api-key": "dossier_wrong" })).toMatchObject({ status: 401 });
  });

  it("acts for the tenant of the key, and logs the key's name but not the key", async () => {
    const { create, status, runs, logLines } = await openApp();
    const secret = await create("研究组", ["ask"], "acme");
    await status("/research", { "x-api-key": secret, ...JSON_BODY }, "POST", QUESTION);
    expect(runs.calls.map(({ method, args }) => [method, args[0]])).toEqual([["start", "acme"]]);
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "request answered", key: "研究组" }));
    expect(JSON.stringify(logLines)).not.toContain(secret);
  });
});

describe("a browser", () => {
  const signIn = (url: string, key: string) =>
    fetch(`${url}/session`, { method: "POST", headers: JSON_BODY, body: JSON.stringify({ key }) });

  it("signs in with a key, and out again", async () => {
    const { url, create, status } = await openApp();
    const secret = await create("页面", ["read"]);
    const response = await signIn(url, secret);
    expect(await response.json()).toMatchObject({ name: "页面", tenant: "acme", scopes: ["read"], isSession: true });
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^dossier_session\d+=dossier_[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(secret);
    const [value = ""] = cookie.split(";");
    expect(await status("/research", { cookie: value })).toMatchObject({ status: 200 });
    expect(await status("/session", { cookie: value }, "DELETE")).toMatchObject({ status: 204 });
    expect(await status("/research", { cookie: value })).toMatchObject({ status: 401 });
    expect(await status("/research", { "x-api-key": secret })).toMatchObject({ status: 200 });
  });

  it("gets a cookie for HTTPS only, if it comes by HTTPS", async () => {
    const { url, create } = await openApp();
    const body = JSON.stringify({ key: await create("one") });
    const headers = { ...JSON_BODY, "x-forwarded-proto": "https" };
    const response = await fetch(`${url}/session`, { method: "POST", headers, body });
    expect(response.headers.getSetCookie()[0]).toMatch(/; Secure/);
  });

  it("cannot sign in with a wrong key, nor with the secret of a session", async () => {
    const { url, create } = await openApp();
    const first = await signIn(url, await create("one"));
    const session = /dossier_session\d+=([^;]+)/.exec(first.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
    for (const key of ["dossier_wrong", session]) {
      const response = await signIn(url, key);
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  it("with the cookie of another service or an earlier sign-in is served where nobody needs a key, and can sign out", async () => {
    const { url, create, status } = await openApp();
    const name = `dossier_session${new URL(url).port}`;
    const cookie = `dossier_session1=dossier_x; ${name}=dossier_y`;
    expect(await status("/research", { cookie })).toMatchObject({ status: 200 });
    await create("one");
    expect(await status("/research", { cookie })).toMatchObject({ status: 401 });
    const response = await fetch(`${url}/session`, { method: "DELETE", headers: { cookie } });
    expect([response.status, response.headers.getSetCookie()[0]]).toEqual([204, expect.stringMatching(new RegExp(`^${name}=; .*1970`))]);
  });

  it("of another site cannot use the cookie to change anything", async () => {
    const { url, create, status } = await openApp();
    const [value = ""] = (await signIn(url, await create("one"))).headers.getSetCookie()[0]?.split(";") ?? [];
    const foreign = { cookie: value, origin: "https://evil.example", "sec-fetch-site": "cross-site", ...JSON_BODY };
    expect(await status("/research", foreign, "POST", QUESTION)).toMatchObject({ status: 403, code: "forbidden_origin" });
  });
});
