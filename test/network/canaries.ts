import { connect, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { onTestFinished } from "vitest";

/** Ports that links may name. */
const WEB_PORTS = [80, 443, 8080, 8443];

export interface Canaries {
  /** Where canaries listen: the free ports among those of the web, at every address of this machine. */
  readonly webPorts: readonly number[];
  /** A canary's port that links may not name. */
  readonly oddPort: number;
  /** The local address and port of every connection, whatever was sent on it. */
  readonly heard: string[];
}

/** Listeners on every address of this machine, loopback or not, that record each connection before a byte is sent. */
export async function listenEverywhere(wanted: readonly number[] = WEB_PORTS): Promise<Canaries> {
  const heard: string[] = [];
  const ports: number[] = [];
  for (const port of [...wanted, 0]) {
    const server = createServer((socket) => {
      heard.push(`${socket.localAddress} ${socket.localPort}`);
      socket.on("error", () => {});
      socket.resume();
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nThe canary heard you.");
    });
    const bound = await listen(server, port);
    if (bound !== null) ports.push(bound);
  }
  const oddPort = ports.pop() ?? 0;
  return { webPorts: ports, oddPort, heard };
}

/** Returns the loopback addresses and all others of this machine. */
export function ownAddresses(): string[] {
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address)),
  );
  return [...new Set(["127.0.0.1", "127.0.0.2", "127.255.255.254", ...others])];
}

/** Connects and closes; returns whether anything listened. */
export function knock(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.resume();
    socket.on("close", () => resolve(false));
  });
}

/** Returns the port, or null if it is in use or needs privileges. */
async function listen(server: Server, port: number): Promise<number | null> {
  const bound = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ port, host: "::", ipv6Only: false }, () => resolve(true));
  });
  if (!bound) return null;
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : null;
}
