import { describe, expect, it } from "vitest";
import { exchange, get, startApp } from "./app-under-test.ts";

describe("the Host of a request", () => {
  it.each(["localhost", "localhost:3000", "LOCALHOST", "127.0.0.1:99", "[::1]", "[::1]:3000"])("may be %s by default", async (host) => {
    const { port } = await startApp();
    expect((await exchange(port, get("/graphs", { Host: host }))).status).toBe(200);
  });

  it.each([
    "evil.example",
    "localhost.evil.example",
    "localhost@evil.example",
    "evil.example#localhost",
    "localhost:3000:1",
    "localhost:port",
    "127.0.0.1.evil.example",
    "10.0.0.1",
    "[::2]",
    "::1",
    "",
  ])("may not be %j", async (host) => {
    const { port, runs } = await startApp();
    const { status, body } = await exchange(port, get("/research/run-1", { Host: host }));
    expect([status, JSON.parse(body)]).toMatchObject([403, { code: "forbidden_host", status: 403 }]);
    expect(runs.calls).toEqual([]);
  });

  it("may be what the operator lists, with the port if one is given, and the address that the request came in at", async () => {
    const { port } = await startApp({ allowedHosts: ["research.example", "other.example:8080"] });
    const statusFor = async (host: string) => (await exchange(port, get("/graphs", { Host: host }))).status;
    expect(await statusFor("research.example:1")).toBe(200);
    expect(await statusFor("other.example:8080")).toBe(200);
    expect(await statusFor("other.example:8081")).toBe(403);
    expect(await statusFor("localhost")).toBe(403);
    expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
  });

  it("does not matter for the health check, but for similar paths", async () => {
    const { port } = await startApp();
    expect((await exchange(port, get("/healthz", { Host: "10.1.2.3:3000" }))).status).toBe(200);
    expect((await exchange(port, get("/healthz", { Host: "evil.example", Origin: "http://evil.example.org" }))).status).toBe(403);
    for (const path of ["/readyz", "/healthz/", "/nothing"]) {
      expect((await exchange(port, get(path, { Host: "evil.example" }))).status).toBe(403);
    }
    expect((await exchange(port, get("/healthz", { Host: "evil.example" }, "POST"))).status).toBe(403);
  });
});

describe("the Origin of a request", () => {
  const listed = { corsOrigins: ["https://app.example", "http://localhost:5173/".replace(/\/$/, "")] };

  it.each([
    "http://evil.example",
    "null",
    "http://localhost:3001",
    "file://",
    "http://localhost:3000.evil.example",
    "https://user@localhost:3000",
  ])("is refused when it is %j", async (origin) => {
    const { port, runs } = await startApp();
    const { status, headers, body } = await exchange(port, get("/research/run-1", { Host: "localhost:3000", Origin: origin }));
    expect([status, JSON.parse(body)]).toMatchObject([403, { code: "forbidden_origin" }]);
    expect(headers.get("access-control-allow-origin")).toBeUndefined();
    expect(runs.calls).toEqual([]);
  });

  it("is accepted if it is our own, with TLS or not", async () => {
    const { port } = await startApp();
    const statusFor = async (origin: string, host: string) => (await exchange(port, get("/graphs", { Host: host, Origin: origin }))).status;
    expect(await statusFor("http://localhost:3000", "localhost:3000")).toBe(200);
    expect(await statusFor("https://localhost", "localhost")).toBe(200);
    expect(await statusFor("https://localhost", "localhost:443")).toBe(200);
    expect(await statusFor("http://localhost", "localhost:443")).toBe(403);
  });

  it("is served with CORS headers if the operator lists it, on answers, problems and streams", async () => {
    const { url, runs } = await startApp(listed);
    runs.add();
    runs.end("run-1");
    const headers = { origin: "https://app.example" };
    for (const path of ["/research/run-1", "/research/none", "/research/run-1/events"]) {
      const response = await fetch(url + path, { headers });
      expect(response.headers.get("access-control-allow-origin")).toBe("https://app.example");
      expect(response.headers.get("access-control-expose-headers")).toMatch(/Location, Last-Event-ID, Idempotency-Key/);
      expect(response.headers.get("vary")).toContain("Origin");
      await response.text();
    }
  });

  it("gets its preflight answered if listed, and only then", async () => {
    const { url } = await startApp(listed);
    const preflight = (origin: string) =>
      fetch(`${url}/research`, { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });
    const allowed = await preflight("http://localhost:5173");
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
    expect(allowed.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    expect(allowed.headers.get("access-control-allow-headers")).toMatch(/Idempotency-Key.*Last-Event-ID.*Prefer/);
    expect((await preflight("http://localhost:5174")).status).toBe(403);
    expect((await preflight("null")).status).toBe(403);
  });
});

it("allows nothing by an invalid entry of the lists", async () => {
  const { port } = await startApp({ allowedHosts: ["http://localhost", "", "港口"], corsOrigins: ["*", "https://a.example/x"] });
  const asked = (headers: Record<string, string>) => exchange(port, get("/graphs", headers)).then(({ status }) => status);
  expect(await asked({ Host: "localhost" })).toBe(403);
  expect(await asked({ Host: `127.0.0.1:${port}`, Origin: "https://a.example" })).toBe(403);
});

describe("the site of which a browser says that it sends a request", () => {
  const own = "http://localhost:3000";
  const form = '--b\r\nContent-Disposition: form-data; name="request"\r\n\r\n{"question":"灯塔里烧什么？"}\r\n--b--\r\n';
  const multipart = {
    Host: "localhost:3000",
    "Content-Type": "multipart/form-data; boundary=b",
    "Content-Length": String(Buffer.byteLength(form)),
  };
  const upload = (headers: Record<string, string>) => get("/research", { ...multipart, ...headers }, "POST") + form;

  it.each([
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "Cross-Site" },
    { "Sec-Fetch-Site": "cross-site", Origin: own },
    { "Sec-Fetch-Site": "cross-site", Origin: "null" },
  ])("starts nothing with %j", async (headers) => {
    const { port, runs } = await startApp();
    const { status, body } = await exchange(port, upload(headers));
    expect([status, JSON.parse(body)]).toMatchObject([403, { code: "forbidden_origin" }]);
    for (const [path, method] of [
      ["/research/run-1/cancel", "POST"],
      ["/research/run-1", "DELETE"],
    ] as const)
      expect((await exchange(port, get(path, { Host: "localhost:3000", ...headers }, method))).status).toBe(403);
    expect(runs.calls).toEqual([]);
  });

  it.each([
    {},
    { "Sec-Fetch-Site": "same-origin", Origin: own },
    { "Sec-Fetch-Site": "none" },
    { "Sec-Fetch-Site": "cross-site", Origin: "https://app.example" },
  ])("starts a run with %j", async (headers) => {
    const { port, runs } = await startApp({ corsOrigins: ["https://app.example"] });
    expect((await exchange(port, upload(headers))).status).toBe(202);
    expect(runs.calls).not.toEqual([]);
  });

  it("may be any for reading, so that links to a report work", async () => {
    const { port } = await startApp();
    expect((await exchange(port, get("/graphs", { Host: "localhost:3000", "Sec-Fetch-Site": "cross-site" }))).status).toBe(200);
  });
});
