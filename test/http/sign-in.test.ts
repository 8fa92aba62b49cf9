import { describe, expect, it } from "vitest";
import type { SignIn } from "../../src/domain/sign-in.ts";
import { openMemoryTenancy } from "../helpers/memory-tenancy.ts";
import { type OidcService, startWithProvider } from "../helpers/oidc-provider.ts";
import { startApp } from "./app-under-test.ts";

const JSON_BODY = { "content-type": "application/json" };

/** A browser without a page: it keeps cookies by host, and follows redirects when it is told to. */
function openBrowser() {
  const cookies = new Map<string, Map<string, string>>();
  const jarOf = (address: string) => {
    const { hostname } = new URL(address);
    const jar = cookies.get(hostname) ?? new Map<string, string>();
    cookies.set(hostname, jar);
    return jar;
  };
  const get = async (address: string, more: RequestInit = {}): Promise<Response> => {
    const cookie = [...jarOf(address)].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, { ...more, redirect: "manual", headers: { cookie, ...more.headers } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/i.test(line)) jarOf(address).delete(name);
      else jarOf(address).set(name, value);
    }
    return response;
  };
  /** Follows redirects as long as they do not lead to an address that begins so. Returns the address of the last one. */
  const follow = async (address: string, end: string): Promise<string> => {
    let at = address;
    while (!at.startsWith(end)) at = new URL((await get(at)).headers.get("location") ?? "about:blank", at).href;
    return at;
  };
  return { get, follow, jarOf };
}

/** Signs in at the provider, up to the address at which the provider sends the browser back. */
async function backFromProvider({ url, issuer }: OidcService, account: string) {
  const browser = openBrowser();
  const question = await browser.follow(`${url}/session/oidc`, `${issuer}/sign-in/`);
  const answer = await browser.follow(`${question}?as=${account}`, `${url}/session/oidc/callback`);
  return { ...browser, answer };
}

async function signIn(service: OidcService, account: string) {
  const browser = await backFromProvider(service, account);
  const response = await browser.get(browser.answer);
  const status = async (path: string, more?: RequestInit) => (await browser.get(service.url + path, more)).status;
  return { ...browser, response, status, session: async () => (await browser.get(`${service.url}/session`)).json() };
}

const startedIn = ({ url }: OidcService) => `dossier_session${new URL(url).port}_oidc`;

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

describe("with a provider", () => {
  it("nobody is served before signing in, and everybody hears how to", async () => {
    const { url } = await startWithProvider();
    expect(await codeOf(await fetch(`${url}/research`))).toEqual([401, "unauthorized"]);
    expect(await (await fetch(`${url}/session`)).json()).toMatchObject({ name: null, scopes: [], isSession: false, oidc: true });
    expect(await codeOf(await fetch(`${url}/session`, { headers: { "x-api-key": "dossier_x" } }))).toEqual([401, "unauthorized"]);
  });

  it("a person signs in and out again", async () => {
    const service = await startWithProvider({ OIDC_SCOPES: "read" });
    const browser = await backFromProvider(service, "alice");
    const response = await browser.get(browser.answer);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    const session = expect.stringMatching(/^dossier_session\d+=dossier_[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/_oidc=; .*1970/), session]);
    expect(await (await browser.get(`${service.url}/session`)).json()).toMatchObject({
      ...{ name: "oidc:alice@example.org", tenant: "default", scopes: ["read"], isSession: true, oidc: true },
    });
    expect((await browser.get(`${service.url}/research`)).status).toBe(200);
    expect(await codeOf(await browser.get(`${service.url}/workers`))).toEqual([403, "missing_scope"]);
    expect((await browser.get(`${service.url}/session`, { method: "DELETE" })).status).toBe(204);
    expect((await browser.get(`${service.url}/research`)).status).toBe(401);
  });

  it("the browser keeps what it needs for the way back in a cookie for ten minutes that no script can read", async () => {
    const { url, issuer } = await startWithProvider();
    const response = await fetch(`${url}/session/oidc`, { redirect: "manual", headers: { "x-forwarded-proto": "https" } });
    const address = new URL(response.headers.get("location") ?? "");
    expect(address.origin).toBe(issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...{ client_id: "dossier", response_type: "code", scope: "openid email", code_challenge_method: "S256" },
      redirect_uri: `${url.replace("http:", "https:")}/session/oidc/callback`,
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^dossier_session\d+_oidc=[^;]+; Max-Age=600; Path=\/session\/oidc; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });
});

it("lies below the path of a reverse proxy, and is in the audit log", async () => {
  const callbacks: string[] = [];
  const signIn: SignIn = {
    async start(callback) {
      callbacks.push(callback.href);
      return { address: new URL("https://login.example/"), checks: { state: "s", nonce: "n", verifier: "v" } };
    },
    async finish(answer) {
      callbacks.push(answer.href);
      return { name: "oidc:bob", tenant: "acme", scopes: ["read"], expiresAt: null };
    },
  };
  const { url, logLines } = await startApp({ basePath: "/dossier", tenancy: { ...(await openMemoryTenancy()), signIn } });
  const first = await fetch(`${url}/dossier/session/oidc`, { redirect: "manual" });
  const [started = ""] = first.headers.getSetCookie();
  expect([first.headers.get("location"), started]).toEqual([
    "https://login.example/",
    expect.stringContaining("; Path=/dossier/session/oidc;"),
  ]);
  const [cookie = ""] = started.split(";");
  const back = await fetch(`${url}/dossier/session/oidc/callback?code=1`, { redirect: "manual", headers: { cookie } });
  expect([back.status, back.headers.get("location")]).toEqual([303, "/dossier/"]);
  expect(back.headers.getSetCookie()).toContainEqual(expect.stringContaining("; Path=/dossier/;"));
  expect(logLines).toContainEqual(expect.objectContaining({ audit: true, operationId: "finishSignIn", key: "oidc:bob", tenant: "acme" }));
  const address = `${url}/dossier/session/oidc/callback`;
  expect(callbacks).toEqual([address, `${address}?code=1`]);
});

describe("a sign-in is refused", () => {
  const changed = (field: string, value: string) => (cookie: string) => {
    const started = new URLSearchParams(decodeURIComponent(cookie));
    started.set(field, value);
    return encodeURIComponent(started.toString());
  };

  it.each([
    ["with the state of another one", changed("state", "another"), /unexpected "state"|invalid response/],
    ["with the nonce of another one", changed("nonce", "another"), /unexpected JWT claim value/],
    ["with the verifier of another one", changed("verifier", "v".repeat(43)), /invalid_grant/],
    ["after ten minutes", changed("until", "1"), /more than ten minutes ago/],
    ["without the cookie", () => "", /not started in this browser/],
    ["with a broken cookie", () => "%7B", /not started in this browser/],
  ])("%s", async (_name, change, message) => {
    const service = await startWithProvider();
    const { get, jarOf, answer } = await backFromProvider(service, "alice");
    const jar = jarOf(service.url);
    jar.set(startedIn(service), change(jar.get(startedIn(service)) ?? ""));
    const response = await get(answer);
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    expect({ status: response.status, code, detail }).toEqual({
      status: 401,
      code: "unauthorized",
      detail: expect.stringMatching(message),
    });
    expect([...jar.keys()]).not.toContain(startedIn(service).replace("_oidc", ""));
  });

  it("with a code that was used before", async () => {
    const service = await startWithProvider();
    const { get, jarOf, answer } = await backFromProvider(service, "alice");
    const kept = new Map(jarOf(service.url));
    expect((await get(answer)).status).toBe(303);
    expect(await codeOf(await fetch(answer))).toEqual([401, "unauthorized"]);
    const cookie = `${startedIn(service)}=${kept.get(startedIn(service))}`;
    const again = await fetch(answer, { headers: { cookie } });
    expect(again.headers.getSetCookie()).toEqual([expect.stringMatching(/_oidc=; /)]);
    expect(await again.json()).toMatchObject({ status: 401, detail: expect.stringContaining("invalid_grant") });
  });

  it("if the person says no at the provider, and a browser shows this as a page", async () => {
    const service = await startWithProvider();
    const browser = openBrowser();
    await browser.get(`${service.url}/session/oidc`);
    const state = new URLSearchParams(decodeURIComponent(browser.jarOf(service.url).get(startedIn(service)) ?? "")).get("state") ?? "";
    const query = new URLSearchParams({ error: "access_denied", error_description: "<b>no</b>", state, iss: service.issuer });
    const response = await browser.get(`${service.url}/session/oidc/callback?${query}`, { headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain("access_denied, &lt;b&gt;no&lt;/b&gt;");
  });

  it("while the provider cannot be reached, and works when it is back", async () => {
    const service = await startWithProvider();
    await service.stopProvider();
    const response = await fetch(`${service.url}/session/oidc`, { redirect: "manual" });
    const { host } = new URL(service.issuer);
    const problem = {
      status: 502,
      code: "unreachable",
      detail: expect.stringMatching(`^The sign-in provider ${host}: .*Nobody was signed in`),
    };
    expect(await response.json()).toMatchObject(problem);
    await service.startProvider();
    expect((await signIn(service, "alice")).response.status).toBe(303);
  });

  it("by a provider that refuses the secret of the service", async () => {
    const service = await startWithProvider({ OIDC_CLIENT_SECRET: "a-wrong-secret-of-the-client" });
    const { response } = await signIn(service, "alice");
    expect(await response.json()).toMatchObject({ status: 401, detail: expect.stringContaining("refuses OIDC_CLIENT_ID") });
  });
});

describe("a person", () => {
  const ask = { method: "POST", headers: JSON_BODY, body: JSON.stringify({ question: "Who?", threadId: "t-1" }) };

  it("has own threads, which no key of the same name has, and the other way round", async () => {
    const service = await startWithProvider();
    const alice = await signIn(service, "alice");
    const { secret } = await service.keys.create({ name: "alice@example.org", tenant: "default", scopes: ["ask"], expiresAt: null });
    const key = { "x-api-key": secret };
    expect(await alice.status("/research", ask)).toBe(202);
    const { headers, ...others } = ask;
    expect(await codeOf(await fetch(`${service.url}/research`, { ...others, headers: { ...headers, ...key } }))).toEqual([
      404,
      "not_found",
    ]);
    expect(await (await fetch(`${service.url}/research`, { headers: key })).json()).toMatchObject({ runs: [] });
    const again = await signIn(service, "alice");
    expect(await (await again.get(`${service.url}/research`)).json()).toMatchObject({ runs: [{ threadId: "t-1" }] });
  });

  it("whose address is not verified has the name that the provider gave, and not the threads of who has this address", async () => {
    const service = await startWithProvider();
    await (await signIn(service, "alice")).status("/research", ask);
    const mallory = await signIn(service, "mallory");
    expect(await mallory.session()).toMatchObject({ name: `oidc:${service.issuer}/#mallory`, isSession: true });
    expect(await (await mallory.get(`${service.url}/research`)).json()).toMatchObject({ runs: [] });
    expect(await mallory.status("/research", ask)).toBe(404);
  });

  it("is signed out everywhere when the operator revokes the name, and can sign in again", async () => {
    const service = await startWithProvider();
    const [one, two] = [await signIn(service, "alice"), await signIn(service, "alice")];
    const listed = await service.keys.list();
    expect(listed.map(({ name, isSession }) => ({ name, isSession }))).toEqual([{ name: "oidc:alice@example.org", isSession: false }]);
    expect([await one.status("/research"), await two.status("/research")]).toEqual([200, 200]);
    await service.keys.revoke("oidc:alice@example.org");
    expect([await one.status("/research"), await two.status("/research")]).toEqual([401, 401]);
    expect(await (await signIn(service, "alice")).status("/research")).toBe(200);
  });

  it("is in the tenant that a claim names, and nowhere if it names none", async () => {
    const service = await startWithProvider({ OIDC_TENANT_CLAIM: "team", OIDC_TENANT: "elsewhere" });
    expect(await (await signIn(service, "alice")).session()).toMatchObject({ tenant: "acme" });
    const { response } = await signIn(service, "mallory");
    expect(await response.json()).toMatchObject({ status: 401, detail: expect.stringContaining("no tenant is in the claim team") });
  });
});
