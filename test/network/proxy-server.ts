import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface ProxyServer {
  /** Its address, without a scheme. */
  readonly host: string;
  /** What it was asked: `CONNECT host:port`, or `GET http://host/path`. */
  readonly asked: string[];
}

interface ProxyOptions {
  /** The port of this machine that a host and port lead to, as the proxy knows them; null: it answers 502. */
  readonly portOf: (host: string) => number | null;
  /** The `name:password` that it wants. */
  readonly password?: string;
}

/** A real proxy on loopback that forwards requests and opens tunnels. */
export async function startProxy({ portOf, password }: ProxyOptions): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = password === undefined ? undefined : `Basic ${Buffer.from(password).toString("base64")}`;
  const statusOf = (message: IncomingMessage, port: number | null) =>
    message.headers["proxy-authorization"] !== wanted ? 407 : port === null ? 502 : 200;
  const server = createServer((message, response) => {
    asked.push(`${message.method} ${message.url}`);
    const { host, pathname, search } = new URL(message.url ?? "");
    const port = portOf(host);
    const status = statusOf(message, port);
    if (status !== 200) return void response.writeHead(status).end();
    const { "proxy-authorization": _, ...headers } = message.headers;
    const onward = request({
      host: "127.0.0.1",
      port,
      method: message.method,
      path: `${pathname}${search}`,
      headers: { ...headers, host },
    });
    onward.on("response", (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)));
    onward.on("error", () => response.destroy());
    message.pipe(onward);
  });
  server.on("connect", (message: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${message.url}`);
    const port = portOf(message.url ?? "");
    const status = statusOf(message, port);
    socket.on("error", () => {});
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const onward = connect(port ?? 0, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => socket.destroy());
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
