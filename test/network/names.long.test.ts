import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createNameResolver } from "../../src/network/guarded-connector.ts";
import { type DnsServer, type Said, startDns } from "./dns-server.ts";
import { LONG } from "./long-limits.ts";
import { codeOf, inScope, openNetwork } from "./network-under-test.ts";
import { startRaw, whole } from "./raw-server.ts";

const PUBLIC = "93.184.215.14";
const PUBLIC_V6 = "2606:2800:021f:cb07:6820:80da:af6b:8b2c";
const LOOPBACK_V6 = "0000:0000:0000:0000:0000:0000:0000:0001";

const ZONE: Readonly<Record<string, Said>> = {
  "both.example": { a: [PUBLIC], aaaa: [PUBLIC_V6] },
  "four.example": { a: [PUBLIC] },
  "six.example": { aaaa: [PUBLIC_V6] },
  "half-silent.example": { a: [PUBLIC], aaaa: "silence" },
  "chain.example": { a: [PUBLIC], via: ["one.example", "two.example"] },
  "empty.example": {},
  "broken.example": "servfail",
  "private.example": { a: ["127.0.0.1"] },
  "chain-home.example": { a: ["10.0.0.1"], via: ["one.example", "two.example"] },
  "mixed.example": { a: [PUBLIC, "192.168.0.1"] },
  "mixed-families.example": { a: [PUBLIC], aaaa: [LOOPBACK_V6] },
  "here.example": { a: ["127.0.0.1"], via: ["one.example", "two.example"] },
};

const startZone = (onAsked?: (asked: readonly string[]) => void) =>
  startDns((name) => (name.startsWith("silent-") ? "silence" : (ZONE[name] ?? "nxdomain")), onAsked);
const resolverOf = ({ address }: DnsServer, retryMs = 60_000) => createNameResolver([address], retryMs);
const never = new AbortController().signal;
const networkOf = ({ address }: DnsServer, connectMs = LONG.connectMs) =>
  openNetwork([], { nameServers: [address], limits: { ...LONG, connectMs } });
const SILENT = Array.from({ length: 8 }, (_, i) => `http://silent-${i}.example/`);

it.each([
  ["both.example", [PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
  ["four.example", [PUBLIC]],
  ["six.example", ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"]],
  ["half-silent.example", [PUBLIC]],
  ["chain.example", [PUBLIC]],
])("resolves %s", async (name, addresses) => {
  const found = await resolverOf(await startZone())(name, never);
  expect(found.map(({ address }) => address)).toEqual(addresses);
});

it("connects to the address that the name servers returned, at the end of a chain of aliases", async () => {
  const dns = await startZone();
  const server = await startRaw((socket) => void socket.end(whole("found")));
  const network = openNetwork([`here.example:${server.port}`], { resolve: resolverOf(dns) });
  const { body } = await network.follow("web", { url: `http://here.example:${server.port}/` }, inScope("web"));
  expect(new TextDecoder().decode(body)).toBe("found");
  expect(dns.asked).toContain("here.example");
});

it.each([
  ["private.example", "forbidden_address", "its name resolves to a private network"],
  ["chain-home.example", "forbidden_address", "its name resolves to a private network"],
  ["mixed.example", "forbidden_address", "its name resolves to a private network"],
  ["mixed-families.example", "forbidden_address", "its name resolves to a private network"],
  ["no-such-name.example", "unreachable", "its name could not be resolved)"],
  ["empty.example", "unreachable", "its name could not be resolved)"],
  ["broken.example", "unreachable", "its name could not be resolved)"],
  ["silent-0.example", "timeout", "its name could not be resolved in time", 1_000],
])("reports for %s that it is %s", async (name, code, message, connectMs?: number) => {
  const reading = networkOf(await startZone(), connectMs).follow("web", { url: `http://${name}/` }, inScope("web"));
  await expect(reading).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

it("does not let names whose server is silent delay other names", async () => {
  const network = networkOf(await startZone());
  const stop = new AbortController();
  const ended: string[] = [];
  const follow = (url: string) =>
    codeOf(network.follow("web", { url }, { signal: stop.signal, scope: ["web"] })).finally(() => ended.push(url));
  const silent = SILENT.map(follow);
  const healthy = await Promise.all(["private", "mixed", "no-such-name"].map((name) => follow(`http://${name}.example/`)));
  expect(ended).toHaveLength(3);
  expect(healthy).toEqual(["forbidden_address", "forbidden_address", "unreachable"]);
  stop.abort(Object.assign(new Error("enough"), { code: "given_up" }));
  expect(await Promise.all(silent)).toEqual(SILENT.map(() => "given_up"));
});

it("sends no more queries once a lookup is aborted", async () => {
  const stop = new AbortController();
  const dns = await startZone(() => stop.abort());
  await expect(resolverOf(dns, 50)("silent-0.example", stop.signal)).rejects.toMatchObject({ code: "ECANCELLED" });
  // A lookup that asks as often as it may takes longer than the aborted one would.
  await expect(resolverOf(dns, 200)("silent-1.example", never)).rejects.toMatchObject({ code: "ETIMEOUT" });
  const times = (name: string) => dns.asked.filter((one) => one === name).length;
  expect([times("silent-0.example"), times("silent-1.example")]).toEqual([expect.toSatisfy((count) => count <= 2), 4]);
});

it.each([
  ["closed", "close"],
  ["left open", ""],
])("does not keep a process whose network is %s alive while names are unresolved", async (_, close) => {
  const allAsked = Promise.withResolvers<void>();
  const { address } = await startZone((asked) => {
    if (new Set(asked).size === SILENT.length) allAsked.resolve();
  });
  const child = spawn(process.execPath, [fileURLToPath(new URL("exit-child.ts", import.meta.url)), address, close], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  await allAsked.promise;
  child.stdin.write("stop");
  expect(await exited).toEqual([0, null]);
});
