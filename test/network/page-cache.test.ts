import { expect, it } from "vitest";
import type { NetworkOptions } from "../../src/network/network.ts";
import { LONG } from "./long-limits.ts";
import { codeOf, inScope, openNetwork } from "./network-under-test.ts";
import { type RawServer, startRaw, whole } from "./raw-server.ts";

const HOUR = 3_600_000;
const start = Date.parse("2026-11-21T12:00:00Z");

/** A network with its own clock, and a function that reads a path of a server whose responses `answer` returns. */
async function openPages(answer: (head: string, times: number) => Buffer, options: Partial<NetworkOptions> = {}) {
  let now = start;
  const times = new Map<string, number>();
  const server = await startRaw((socket, head) => {
    const path = head.split(" ")[1] ?? "";
    times.set(path, (times.get(path) ?? 0) + 1);
    socket.write(answer(head, times.get(path) ?? 0));
  });
  const network = openNetwork([`127.0.0.1:${server.port}`], { clock: () => now, ...options });
  const follow = (path: string, more: { headers?: Record<string, string>; maxBytes?: number } = {}) =>
    network.follow("web", { url: server.url + path, ...more }, inScope("web"));
  return {
    server,
    network,
    follow,
    later(ms: number): void {
      now += ms;
    },
    read: async (path: string, more = {}) => new TextDecoder().decode((await follow(path, more)).body),
  };
}

const lastHead = ({ heads }: RawServer): string => heads.at(-1)?.toLowerCase() ?? "";

it("revalidates a page on the second request, and serves it from memory if it has not changed", async () => {
  const { server, read, later } = await openPages((head) =>
    /if-none-match: "v1"/i.test(head)
      ? Buffer.from('HTTP/1.1 304 Not Modified\r\netag: "v1"\r\ncache-control: max-age=60\r\ncontent-encoding: gzip\r\n\r\n')
      : whole("the page", { etag: '"v1"', "cache-control": "max-age=60" }),
  );
  expect(await read("/")).toBe("the page");
  later(61_000);
  expect(await read("/")).toBe("the page");
  expect(lastHead(server)).toContain('if-none-match: "v1"');
  later(59_000);
  expect(await read("/")).toBe("the page");
  expect(server.heads.length).toBe(2);
});

it("serves no page from memory that is larger than the request allows, even if it has not changed", async () => {
  const { follow, later } = await openPages((head) =>
    /if-none-match/i.test(head)
      ? Buffer.from("HTTP/1.1 304 Not Modified\r\n\r\n")
      : whole("the page", { etag: '"v1"', "cache-control": "max-age=60" }),
  );
  await follow("/");
  expect(await codeOf(follow("/", { maxBytes: 3 }))).toBe("document_too_large");
  later(61_000);
  expect(await codeOf(follow("/", { maxBytes: 3 }))).toBe("document_too_large");
});

it("revalidates with the date of a page that has no ETag", async () => {
  const date = "Sat, 21 Nov 2026 08:00:00 GMT";
  const { server, read, later } = await openPages((head) =>
    /if-modified-since/i.test(head)
      ? Buffer.from("HTTP/1.1 304 Not Modified\r\n\r\n")
      : whole("the page", { "last-modified": date, "cache-control": "no-cache" }),
  );
  await read("/");
  later(1);
  expect(await read("/")).toBe("the page");
  expect(lastHead(server)).toContain(`if-modified-since: ${date.toLowerCase()}`);
});

it("serves the new page if it has changed, and accepts no 304 of another version", async () => {
  const { server, read, later } = await openPages((head, times) => {
    if (head.startsWith("GET /changed")) return whole(`version ${times}`, { etag: `"${times}"`, "cache-control": "no-cache" });
    return /if-none-match/i.test(head)
      ? Buffer.from('HTTP/1.1 304 Not Modified\r\netag: "other"\r\n\r\n')
      : whole(`version ${times}`, { etag: '"mine"', "cache-control": "max-age=1" });
  });
  expect([await read("/changed"), await read("/changed")]).toEqual(["version 1", "version 2"]);
  await read("/liar");
  later(2_000);
  expect(await read("/liar")).toBe("version 3");
  expect(lastHead(server)).not.toContain("if-none-match");
});

it("keeps a page without cache headers for ten minutes, and none for longer than an hour", async () => {
  const { read, later } = await openPages((head, times) =>
    whole(`${times}`, head.startsWith("GET /long") ? { "cache-control": "max-age=31536000, immutable, stale-while-revalidate=99999" } : {}),
  );
  await read("/");
  await read("/long");
  later(599_000);
  expect(await read("/")).toBe("1");
  later(2_000);
  expect(await read("/")).toBe("2");
  expect(await read("/long")).toBe("1");
  later(HOUR);
  expect(await read("/long")).toBe("2");
});

it.each([
  ["forbids it", { "cache-control": "No-Store" }],
  ["is for one reader", { "cache-control": "private, max-age=60" }],
  ["holds for no time", { "cache-control": "max-age=0" }],
  ["holds for a time that is no number", { "cache-control": "max-age=soon" }],
  ["was old when it came", { "cache-control": "max-age=60", age: "60" }],
  ["had its end before it came", { date: "Sat, 21 Nov 2026 12:00:00 GMT", expires: "Sat, 21 Nov 2026 11:00:00 GMT" }],
  ["has no end that is a date", { expires: "0" }],
  ["varies by what nobody sends", { vary: "accept, *" }],
])("keeps no page that %s", async (_, headers) => {
  const { read } = await openPages((_head, times) => whole(`${times}`, headers));
  expect([await read("/"), await read("/")]).toEqual(["1", "2"]);
});

it.each(["404 Not Found", "410 Gone", "403 Forbidden", "500 Oops", "503 Busy", "301 Moved", "206 Partial Content"])(
  "keeps no answer %s, whatever its headers say",
  async (status) => {
    const { server, follow } = await openPages(() => whole("no", { "cache-control": "max-age=600", etag: '"e"' }, status));
    await follow("/");
    await follow("/");
    expect(server.heads.length).toBe(2);
    expect(lastHead(server)).not.toContain("if-none-match");
  },
);

it("keeps no page that was cut off, was too large, or was aborted", async () => {
  const { read, follow, network, server } = await openPages(
    (head, times) => {
      if (head.startsWith("GET /cut") && times === 1) return Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\npart");
      return whole("x".repeat(50), { "cache-control": "max-age=60" });
    },
    { limits: { ...LONG, silenceMs: 600 } },
  );
  expect(await codeOf(follow("/cut"))).toBe("timeout");
  expect(await read("/cut")).toBe("x".repeat(50));
  expect(await codeOf(follow("/large", { maxBytes: 10 }))).toBe("document_too_large");
  expect(await read("/large")).toBe("x".repeat(50));
  expect(await codeOf(follow("/large", { maxBytes: 10 }))).toBe("document_too_large");
  const stop = new AbortController();
  const given = network.follow("web", { url: `${server.url}/stopped` }, { signal: stop.signal, scope: ["web"] });
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  expect(await read("/stopped")).toBe("x".repeat(50));
});

it("keeps requests with different headers apart, so that Vary is respected", async () => {
  const { read } = await openPages((head) => whole(/accept: (\S+)/i.exec(head)?.[1] ?? "", { vary: "accept" }));
  expect(await read("/", { headers: { accept: "text/html" } })).toBe("text/html");
  expect(await read("/", { headers: { accept: "text/plain" } })).toBe("text/plain");
  expect(await read("/", { headers: { accept: "text/html" } })).toBe("text/html");
});

it("keeps a page intact whatever its reader does with the bytes", async () => {
  const { follow, read } = await openPages(() => whole("the page"));
  (await follow("/")).body.fill(0);
  (await follow("/")).body.fill(0);
  expect(await read("/")).toBe("the page");
});

it("refuses a cached page to a run whose scope does not include it", async () => {
  const { read, network, server } = await openPages(() => whole("the page"));
  await read("/");
  expect(await codeOf(network.follow("web", { url: `${server.url}/` }, inScope("corpus")))).toBe("out_of_scope");
});

it("has a limited size, and drops the pages that were not read for the longest time", async () => {
  const { read, server } = await openPages(() => whole("x".repeat(4_900_000)));
  for (let i = 0; i < 14; i++) await read(`/${i}`);
  expect(server.heads.length).toBe(14);
  await read("/13");
  expect(server.heads.length).toBe(14);
  await read("/0");
  expect(server.heads.length).toBe(15);
});
