import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import { readAllowedHosts } from "../../src/network/check-link.ts";
import { codeOf, inScope, openNetwork } from "./network-under-test.ts";
import { startRaw, whole } from "./raw-server.ts";

const at = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));

it("connects to the address that was checked, although the name has another one by then", async () => {
  const server = await startRaw((socket) => void socket.end(whole("the first", { connection: "close", "cache-control": "no-store" })));
  let heard = 0;
  const second = createServer((socket) => {
    heard += 1;
    socket.destroy();
  }).listen(server.port, "127.0.0.2");
  onTestFinished(() => new Promise<void>((resolve) => void second.close(() => resolve())));
  const names: string[] = [];
  const answers = [at("127.0.0.1"), at("127.0.0.2")];
  const network = openNetwork([`rebind.example:${server.port}`], {
    resolve: async (name) => answers[names.push(name) - 1] ?? [],
  });
  const reply = await network.follow("web", { url: `http://rebind.example:${server.port}/` }, inScope("web"));
  expect(new TextDecoder().decode(reply.body)).toBe("the first");
  expect(names).toEqual(["rebind.example"]);
  expect(heard).toBe(0);
});

it("lets an allowed name resolve to any address, at the allowed port only", async () => {
  const server = await startRaw((socket) => void socket.write(whole("inside")));
  const network = openNetwork([`wiki.intranet:${server.port}`], { resolve: async () => at("127.0.0.1") });
  const follow = (url: string) => codeOf(network.follow("web", { url }, inScope("web")));
  expect(await follow(`http://wiki.intranet:${server.port}/`)).toBe("no error");
  expect(await follow(`http://WIKI.intranet:${server.port}/`)).toBe("no error");
  expect(await follow("http://wiki.intranet/")).toBe("forbidden_address");
  expect(await follow("http://wiki.intranet:8080/")).toBe("forbidden_address");
  expect(await follow(`http://sub.wiki.intranet:${server.port}/`)).toBe("forbidden_address");
  expect(await follow(`http://127.0.0.1:${server.port}/`)).toBe("forbidden_address");
});

it("lets an allowed address stand for itself, and for no name that resolves to it", async () => {
  const server = await startRaw((socket) => void socket.write(whole("inside")));
  const network = openNetwork([`127.0.0.1:${server.port}`, "127.0.0.1:8080"], { resolve: async () => at("127.0.0.1") });
  const follow = (url: string) => codeOf(network.follow("web", { url }, inScope("web")));
  expect(await follow(`http://127.0.0.1:${server.port}/`)).toBe("no error");
  expect(await follow(`http://2130706433:${server.port}/again`)).toBe("no error");
  expect(await follow(`http://127.0.0.2:${server.port}/`)).toBe("forbidden_address");
  expect(await follow("http://public.example:8080/")).toBe("forbidden_address");
  expect(server.heads.length).toBe(2);
});

it("reads pairs of host and port in URL notation, and nothing else", () => {
  expect([...readAllowedHosts(["Intranet.Example:80", "[::0:1]:443", "0x7f.1:9000"])]).toEqual([
    "intranet.example:80",
    "[::1]:443",
    "127.0.0.1:9000",
  ]);
  for (const entry of [
    "intranet.example",
    "10.0.0.0/8",
    "*:80",
    "::1:80",
    "a b:80",
    "user@host:80",
    "http://host:80",
    "host:80/path",
    "host:99999",
  ]) {
    expect(() => readConfig({ ALLOWED_PRIVATE_HOSTS: entry }), entry).toThrow("each entry must be host:port");
    expect(readAllowedHosts([entry]).size).toBe(0);
  }
});

it("follows no redirect to a site that the run is not to use", async () => {
  const answer = `HTTP/1.1 302 Found\r\nlocation: http://other.example:PORT/\r\ncontent-length: 0\r\n\r\n`;
  const server = await startRaw((socket) => void socket.write(answer.replace("PORT", String(server.port))));
  const hosts = ["good.example", "other.example"].map((name) => `${name}:${server.port}`);
  const network = openNetwork(hosts, { resolve: async () => at("127.0.0.1") });
  const context = { ...inScope("web"), domains: [{ allow: ["good.example"] }] };
  expect(await codeOf(network.follow("web", { url: `http://good.example:${server.port}/` }, context))).toBe("out_of_scope");
  expect(server.heads).toHaveLength(1);
});
