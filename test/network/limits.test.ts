import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { NetworkOptions } from "../../src/network/network.ts";
import { LONG } from "./long-limits.ts";
import { codeOf, inScope, openNetwork, SHORT } from "./network-under-test.ts";
import { drip, flood, type RawServer, startRaw, whole } from "./raw-server.ts";

const MB = 1_000_000;
const ZEROS = Buffer.alloc(64 * MB);

const read = (server: RawServer, maxBytes = MB, path = "/", options: Partial<NetworkOptions> = {}) =>
  openNetwork([`127.0.0.1:${server.port}`], options).follow("web", { url: server.url + path, maxBytes }, inScope("web"));
const readInShortTime = (server: RawServer) => read(server, MB, "/", { limits: SHORT });

it("stops an endless body at its limit, and closes the connection", async () => {
  let taken = () => 0;
  const server = await startRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    taken = flood(socket, Buffer.alloc(65_536, "a")).taken;
  });
  expect(await codeOf(read(server))).toBe("document_too_large");
  await expect.poll(server.open).toBe(0);
  expect(taken()).toBeLessThan(30 * MB);
});

it("stops endless chunks", async () => {
  const server = await startRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    flood(socket, `8000\r\n${"a".repeat(0x8000)}\r\n`);
  });
  expect(await codeOf(read(server))).toBe("document_too_large");
  await expect.poll(server.open).toBe(0);
});

it("does not read a body whose declared size is too large", async () => {
  const server = await startRaw((socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 900000000000\r\n\r\n"));
  expect(await codeOf(read(server))).toBe("document_too_large");
  await expect.poll(server.open).toBe(0);
});

it.each([
  ["gzip", gzipSync(ZEROS)],
  ["br", brotliCompressSync(ZEROS)],
  ["deflate", deflateSync(ZEROS)],
  ["deflate", deflateRawSync(ZEROS)],
])("stops a bomb of %s while it decompresses", async (encoding, bomb) => {
  const server = await startRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\n\r\n`);
    // Sixteen of them, one after another, are a gigabyte.
    for (let i = 0; i < (encoding === "gzip" ? 16 : 1); i++) socket.write(bomb);
    socket.end();
  });
  const before = process.memoryUsage().rss;
  expect(await codeOf(read(server))).toBe("document_too_large");
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB);
  await expect.poll(server.open).toBe(0);
});

it("reads a bomb within a bomb as the content of the outer one", async () => {
  const bomb = whole(gzipSync(gzipSync(ZEROS)), { "content-encoding": "gzip" });
  const server = await startRaw((socket) => void socket.write(bomb));
  expect((await read(server)).body.byteLength).toBeLessThan(MB);
});

it("reads deflate with and without the zlib header, and encoding names that mean none, as browsers do", async () => {
  const text = "A page that is whole. 一整页。".repeat(1_000);
  const answers: Readonly<Record<string, Uint8Array | string>> = { deflate: deflateSync(text), DEFLATE: deflateRawSync(text) };
  const server = await startRaw((socket, head) => {
    const encoding = decodeURIComponent(head.split(" ")[1]?.slice(1) ?? "");
    socket.write(whole(answers[encoding] ?? text, { "content-encoding": encoding }));
  });
  for (const encoding of ["deflate", "DEFLATE", "utf-8", "UTF-8", "none", "identity", ""]) {
    const { body } = await read(server, MB, `/${encoding}`);
    expect(new TextDecoder().decode(body), encoding).toBe(text);
  }
});

it("refuses encodings that it did not request, and several at once", async () => {
  const server = await startRaw(
    (socket, head) => void socket.write(whole("x", { "content-encoding": head.split(" ")[1]?.slice(1) ?? "" })),
  );
  for (const encoding of ["gzip,gzip", "zstd", "compress", "x-unknown", "constructor"]) {
    expect(await codeOf(read(server, MB, `/${encoding}`)), encoding).toBe("unreadable");
  }
});

it("distinguishes a body that is not in its encoding, or is cut off, from a complete one", async () => {
  const zipped = gzipSync("A page that is whole. ".repeat(1_000));
  const bodies = [Buffer.from("no gzip at all"), zipped.subarray(0, zipped.byteLength - 20)];
  const server = await startRaw((socket, head) => void socket.write(whole(bodies[Number(head[5])] ?? "", { "content-encoding": "gzip" })));
  expect(await codeOf(read(server, MB, "/0"))).toBe("unreadable");
  expect(await codeOf(read(server, MB, "/1"))).toBe("unreadable");
});

it.each(["gzip", "deflate"])("reads a body encoded as %s that is empty", async (encoding) => {
  const server = await startRaw((socket) => void socket.write(whole("", { "content-encoding": encoding })));
  expect((await read(server)).body.byteLength).toBe(0);
});

it("ends an answer that never starts, headers that never end, and a body that stops arriving", async () => {
  const silent = await startRaw(() => {});
  const headers = await startRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    drip(socket, "x-more: 1\r\n", 1_000);
  });
  const body = await startRaw((socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc"));
  const servers = [silent, headers, body];
  expect(await Promise.all(servers.map((server) => codeOf(readInShortTime(server))))).toEqual(["timeout", "timeout", "timeout"]);
  for (const server of servers) await expect.poll(server.open).toBe(0);
});

it("ends a body that arrives byte by byte, although no silence in it is too long", async () => {
  const server = await startRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    drip(socket, "a", 10_000);
  });
  expect(await codeOf(read(server, MB, "/", { limits: { ...LONG, totalMs: 600 } }))).toBe("timeout");
  await expect.poll(server.open).toBe(0);
});

it("ends when its caller aborts, with the caller's reason", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const server = await startRaw(() => stop.abort(reason));
  const asked = openNetwork([`127.0.0.1:${server.port}`]).follow("web", { url: server.url }, { signal: stop.signal, scope: ["web"] });
  await expect(asked).rejects.toBe(reason);
  await expect.poll(server.open).toBe(0);
});

it("refuses headers that are too long or too many", async () => {
  const server = await startRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    flood(socket, `x-padding: ${"a".repeat(1_000)}\r\n`);
  });
  expect(await codeOf(read(server))).toBe("unreachable");
  await expect.poll(server.open).toBe(0);
});

it("ends a flood of interim answers", async () => {
  const server = await startRaw((socket) => void flood(socket, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(100)));
  expect(["timeout", "unreachable", "unreadable"]).toContain(await codeOf(readInShortTime(server)));
  await expect.poll(server.open).toBe(0);
});

it.each([
  ["plain text", "The old way of serving pages."],
  ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n"],
  ["a status line with a letter", "HTTP/1.1 2OO OK\r\n\r\n"],
  ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"],
])("reports %s as unreadable", async (_, said) => {
  const server = await startRaw((socket) => void socket.end(said));
  expect(await codeOf(read(server))).toBe("unreadable");
});

it.each([
  ["nothing at all", ""],
  ["half of a status line", "HTTP/1.1 20"],
  ["less than its length", "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc"],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
  ["half of its chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n"],
])("reports %s as unreachable", async (_, said) => {
  const server = await startRaw((socket) => void socket.end(said));
  expect(await codeOf(read(server))).toBe("unreachable");
});

it("reports a connection that is reset during the body as unreachable", async () => {
  const server = await startRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc", () => socket.resetAndDestroy());
  });
  expect(await codeOf(read(server))).toBe("unreachable");
});

it("reads no more than the declared length of an answer", async () => {
  const server = await startRaw((socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdef"));
  expect(new TextDecoder().decode((await read(server)).body)).toBe("abc");
});

it("follows five redirects and no sixth, circular or not", async () => {
  const server = await startRaw((socket, head) => {
    const step = Number(head.split(" ")[1]?.slice(1));
    socket.write(step === 5 ? whole("arrived") : whole("", { location: `/${step + 1}` }, "302 Found"));
  });
  expect((await read(server, MB, "/0")).url).toBe(`${server.url}/5`);
  const circle = await startRaw((socket) => void socket.write(whole("", { location: "/" }, "301 Moved Permanently")));
  expect(await codeOf(read(circle))).toBe("unreachable");
  expect(circle.heads.length).toBe(6);
});

it("does not read the body of a redirect, however long it is", async () => {
  const server = await startRaw((socket, head) => {
    if (head.startsWith("GET /there")) return void socket.write(whole("arrived"));
    socket.write("HTTP/1.1 302 Found\r\nlocation: /there\r\n\r\n");
    flood(socket, Buffer.alloc(65_536, "a"));
  });
  expect(new TextDecoder().decode((await read(server)).body)).toBe("arrived");
});

it("follows no redirect inside a page, by refresh or by script", async () => {
  const page = '<meta http-equiv="refresh" content="0; url=/there"><script>location = "/there"</script>';
  const server = await startRaw((socket) => void socket.write(whole(page, { refresh: "0; url=/there" })));
  expect(new TextDecoder().decode((await read(server)).body)).toBe(page);
  expect(server.heads.length).toBe(1);
});

it("reads attachments like pages, and a redirect without a target as it is", async () => {
  const server = await startRaw(
    (socket, head) =>
      void socket.write(
        head.startsWith("GET /file")
          ? whole("a file", { "content-disposition": 'attachment; filename="../../etc/passwd"' })
          : whole("nowhere", {}, "302 Found"),
      ),
  );
  expect(new TextDecoder().decode((await read(server, MB, "/file")).body)).toBe("a file");
  expect((await read(server)).status).toBe(302);
});
