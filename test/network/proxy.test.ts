import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type buildConnector, request } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { createModelFetch, createServerFetch } from "../../src/network/configured-server.ts";
import { openAgent } from "../../src/network/proxies.ts";
import { type Answer, startLoopback } from "../fakes/loopback-server.ts";
import { codeOf, inScope, openNetwork, service } from "./network-under-test.ts";
import { startProxy } from "./proxy-server.ts";

const PUBLIC = "93.184.216.34";
const answers: Answer = (request, response) => void response.end(`${request.headers.host} ${request.url} 好`);

async function open({ answer = answers, password }: { answer?: Answer; password?: string } = {}) {
  const server = await startLoopback(answer);
  onTestFinished(() => server.close());
  const port = Number(new URL(server.url).port);
  const proxy = await startProxy({ portOf: () => port, ...(password !== undefined && { password }) });
  return { server, port, proxy, proxies: { http: `http://${proxy.host}`, https: undefined, none: "", resolves: false } };
}

const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

async function startTls(): Promise<{ port: number; names: unknown[] }> {
  const [key, cert] = ["key.pem", "certificate.pem"].map((name) =>
    readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8"),
  );
  const names: unknown[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    names.push("servername" in request.socket ? request.socket.servername : null);
    response.end(`${request.headers.host}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = getCACertificates();
  setDefaultCACertificates([...before, cert ?? ""]);
  onTestFinished(async () => {
    setDefaultCACertificates(before);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, names };
}

it("gives the proxy the address of a link that was resolved and checked here, and the server the name", async () => {
  const { proxy, proxies } = await open();
  const network = openNetwork([], { proxies, resolve: async () => [{ address: PUBLIC, family: 4 }] });
  const reply = await network.follow("svc", { url: "http://public.example/a?b=中" }, inScope("svc"));
  expect(textOf(reply)).toBe("public.example /a?b=%E4%B8%AD 好");
  expect(proxy.asked).toEqual([`CONNECT ${PUBLIC}:80`]);
});

it("checks the certificate of a server behind the proxy for its name", async () => {
  const { port, names } = await startTls();
  const proxy = await startProxy({ portOf: () => port });
  for (const resolves of [false, true]) {
    const proxies = { http: undefined, https: `http://${proxy.host}`, none: "", resolves };
    const network = openNetwork([], { proxies, resolve: async () => [{ address: "2606:4700::1111", family: 6 }] });
    const reply = await network.follow("svc", { url: "https://tls.example/" }, inScope("svc"));
    expect(textOf(reply)).toBe("tls.example");
    expect(await codeOf(network.follow("svc", { url: "https://other.example/" }, inScope("svc")))).toBe("unreachable");
  }
  expect(names).toEqual(["tls.example", "tls.example"]);
  const [name, other] = ["CONNECT tls.example:443", "CONNECT other.example:443"];
  expect(proxy.asked).toEqual(["CONNECT [2606:4700::1111]:443", "CONNECT [2606:4700::1111]:443", name, other]);
});

it("gives the proxy names if it resolves them, and resolves none itself", async () => {
  const { proxy, proxies } = await open();
  const resolve = async () => Promise.reject(new Error("asked"));
  const network = openNetwork([], { proxies: { ...proxies, resolves: true }, resolve });
  for (const host of ["a.example", "b.example"]) {
    const reply = await network.follow("svc", { url: `http://${host}/x` }, inScope("svc"));
    expect(textOf(reply)).toBe(`${host} /x 好`);
  }
  expect(proxy.asked).toEqual(["GET http://a.example/x", "GET http://b.example/x"]);
});

it.each([false, true])("refuses private addresses, and redirects to them, with a proxy (resolves names: %s)", async (resolves) => {
  const { server, proxy, proxies } = await open({
    answer: (_, response) => void response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
  });
  const network = openNetwork([], {
    proxies: { ...proxies, resolves },
    resolve: async () => [{ address: PUBLIC, family: 4 }],
  });
  const hosts = ["127.0.0.1", "[::1]", "10.0.0.1", "[::ffff:7f00:1]", "2130706433", "localhost", "metadata.internal", "server"];
  const codes = await Promise.all([
    ...hosts.map((host) => codeOf(network.follow("svc", { url: `http://${host}/` }, inScope("svc")))),
    ...hosts.map((host) => codeOf(network.ask(service(), { url: `https://${host}/` }, inScope("svc")))),
  ]);
  expect(new Set(codes)).toEqual(new Set(["forbidden_address"]));
  expect(proxy.asked).toEqual([]);
  expect(await codeOf(network.follow("svc", { url: "http://public.example/" }, inScope("svc")))).toBe("forbidden_address");
  expect(server.requests).toEqual(["/"]);
});

it("refuses names that resolve to private addresses, also if only one does, and names in NO_PROXY", async () => {
  const { proxy, proxies, server } = await open();
  const found = [PUBLIC, "127.0.0.1"].map((address) => ({ address, family: 4 }));
  const context = inScope("svc");
  for (const except of ["", "public.example", "*"]) {
    const network = openNetwork([], { proxies: { ...proxies, none: except }, resolve: async () => found });
    for (const url of ["http://public.example/", "https://public.example/", "http://public.example:8080/"])
      expect(await codeOf(network.follow("svc", { url }, context))).toBe("forbidden_address");
  }
  expect([...proxy.asked, ...server.requests]).toEqual([]);
});

it("tells what to do if a name cannot be resolved here", async () => {
  const { proxies } = await open();
  const resolve = async () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" }));
  const network = openNetwork([], { proxies, resolve });
  const message = expect.stringContaining("set PROXY_RESOLVES=1");
  await expect(network.follow("svc", { url: "http://a.example/" }, inScope("svc"))).rejects.toMatchObject({ code: "unreachable", message });
});

it("reaches allowed private hosts by name through the proxy, and without it if NO_PROXY names them", async () => {
  const { proxy, proxies, port } = await open();
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const host = `wiki.intranet:${port}`;
  for (const none of ["", "intranet"]) {
    const network = openNetwork([host], { proxies: { ...proxies, none }, resolve });
    expect(textOf(await network.follow("svc", { url: `http://${host}/` }, inScope("svc")))).toBe(`${host} / 好`);
  }
  expect(proxy.asked).toEqual([`GET http://${host}/`]);
});

it("reaches what is configured or known by name through the proxy: services, models and tools", async () => {
  const { proxy, proxies } = await open();
  const context = inScope("svc");
  const network = openNetwork([], { proxies, baseUrls: { svc: "http://mirror.intranet/base" } });
  await network.ask(service("api.example"), { url: "http://api.example/1" }, context);
  await network.ask({ ...service("api.example"), id: "public" }, { url: "http://api.example/2" }, context);
  const model = createModelFetch("http://model.example/v1", 2, proxies);
  const tools = createServerFetch("http://tools.example/mcp", { name: "Tools", maxBytes: 1_000, onBroken: () => {} }, proxies);
  onTestFinished(async () => void (await Promise.all([model.close(), tools.close()])));
  const sent = { method: "POST", headers: { "content-type": "text/plain" }, body: "问" };
  expect(await (await model.fetch("http://model.example/v1/chat", sent)).text()).toBe("model.example /v1/chat 好");
  expect(await (await tools.fetch("http://tools.example/mcp", sent)).text()).toBe("tools.example /mcp 好");
  const asked = ["GET http://mirror.intranet/base/1", "GET http://api.example/2"];
  const expected = [...asked, "POST http://model.example/v1/chat", "POST http://tools.example/mcp"];
  expect(proxy.asked).toEqual(expected);
});

it("tells the proxy the name and the password of its address, and no message repeats them", async () => {
  const { proxy, proxies } = await open({ password: "Ada:p@ss:wört" });
  const known = `http://Ada:${encodeURIComponent("p@ss:wört")}@${proxy.host}`;
  const resolve = async () => [{ address: PUBLIC, family: 4 }];
  const byName = openNetwork([], { proxies: { ...proxies, resolves: true } });
  expect((await byName.follow("svc", { url: "http://public.example/" }, inScope("svc"))).status).toBe(407);
  for (const url of ["http://public.example/", "https://public.example/"]) {
    for (const resolves of url.startsWith("https") ? [true, false] : [false]) {
      const closed = openNetwork([], { proxies: { ...proxies, resolves }, resolve });
      const error = await closed.follow("svc", { url }, inScope("svc")).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ code: "unreachable", message: expect.stringContaining(proxy.host) });
    }
  }
  const open1 = openNetwork([], { proxies: { ...proxies, http: known }, resolve });
  expect((await open1.follow("svc", { url: "http://public.example/" }, inScope("svc"))).status).toBe(200);
  // The test's server speaks no TLS, so the tunnel is open and the request fails.
  const error = await open1.follow("svc", { url: "https://public.example/" }, inScope("svc")).catch((thrown: Error) => thrown);
  expect(String(error)).not.toMatch(/p@ss|p%40ss|\b407\b/);
});

it.each([
  [
    "intern.example",
    ["http://intern.example/", "http://a.b.intern.example:8080/", "https://INTERN.example./"],
    ["http://notintern.example/"],
  ],
  [".intern.example", ["http://intern.example/", "http://a.intern.example/"], ["http://intern.example.org/"]],
  ["a.example,, b.example\tc.example.", ["http://a.example/", "http://b.example/", "http://c.example/"], ["http://example/"]],
  ["内网.example", ["http://内网.example/", "http://文档.内网.example/"], ["http://外网.example/"]],
  [
    "10.0.0.0/8, 192.168.1.7",
    ["http://10.1.2.3/", "http://192.168.1.7/"],
    ["http://11.0.0.1/", "http://192.168.1.8/", "http://a.10.1.2.3.example/"],
  ],
  [
    "::1,[fd00::1],2001:db8::/32",
    ["http://[::1]/", "http://[fd00:0::1]:80/", "http://[2001:db8:1::]/"],
    ["http://[fd00::2]/", "http://10.0.0.1/"],
  ],
  ["*", ["http://a.example/", "https://127.0.0.1/"], []],
  ["*,a.example", ["http://a.example/"], ["http://b.example/"]],
  [" ", ["http://127.0.0.1:8080/", "http://[::1]/", "http://localhost/"], ["http://a.example/"]],
  ["a.example:8080, b.example:443", ["http://a.example:8080/", "https://b.example/"], ["http://a.example/", "http://b.example/"]],
])("reads NO_PROXY=%s as curl does", async (none, around, through) => {
  const proxy = await startProxy({ portOf: () => null });
  // Both ways fail: the proxy answers 502, and no direct connection is allowed.
  const connect: buildConnector.connector = (_, callback) => callback(new Error("direct"), null);
  const proxies = { http: `http://${proxy.host}`, https: undefined, none, resolves: true };
  const { dispatcher, close } = openAgent({ connect, connectTimeout: 1_000 }, proxies);
  onTestFinished(close);
  const wayOf = async (url: string) => {
    const before = proxy.asked.length;
    const failure = await request(url, { dispatcher }).then(({ body }) => body.dump(), String);
    return proxy.asked.length > before ? "proxy" : failure;
  };
  for (const url of around) expect([url, await wayOf(url)]).toEqual([url, "Error: direct"]);
  for (const url of through) expect([url, await wayOf(url)]).toEqual([url, "proxy"]);
});

it("makes no more connections for requests through a proxy than without one", async () => {
  const waiting: (() => void)[] = [];
  const full = Promise.withResolvers<void>();
  const { server, proxies } = await open({
    answer(_, response) {
      waiting.push(() => response.end("好"));
      if (waiting.length === 2) full.resolve();
      if (waiting.length > 2) waiting.pop()?.();
    },
  });
  const model = createModelFetch("http://model.example/v1", 2, proxies);
  onTestFinished(() => model.close());
  const asked = Array.from({ length: 6 }, () =>
    model.fetch("http://model.example/v1/x", { method: "GET", headers: {} }).then((r) => r.text()),
  );
  await full.promise;
  for (const answer of waiting) answer();
  expect(await Promise.all(asked)).toEqual(Array(6).fill("好"));
  expect(server.peak()).toBe(2);
});
