import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawServer {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly port: number;
  /** The head of every request. */
  readonly heads: string[];
  /** The number of open connections. */
  readonly open: () => number;
}

/** A loopback server that sends arbitrary bytes; closed when the test has finished. */
export async function startRaw(answer: (socket: Socket, head: string) => void): Promise<RawServer> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end === -1) return;
      const head = text.slice(0, end);
      text = "";
      heads.push(head);
      answer(socket, head);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, port, heads, open: () => sockets.size };
}

/** A complete answer; the connection stays open. */
export function whole(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, status = "200 OK"): Buffer {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ "content-type": "text/html", "content-length": String(bytes.byteLength), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head}\r\n`, "latin1"), bytes]);
}

/** Writes `piece` repeatedly, as fast as it is read, until the client closes; returns how many bytes were taken. */
export function flood(socket: Socket, piece: string | Uint8Array): { taken: () => number } {
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once("drain", write);
  };
  write();
  return { taken: () => socket.bytesWritten };
}

/** Writes `piece` once in each turn of the event loop, `times` times, and then nothing more. */
export function drip(socket: Socket, piece: string, times: number): void {
  if (socket.destroyed || times === 0) return;
  socket.write(piece);
  setImmediate(drip, socket, piece, times - 1);
}
