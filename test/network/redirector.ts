import { createServer } from "node:net";
import { onTestFinished } from "vitest";

export interface Redirect {
  readonly status: number;
  readonly location: string;
}

/** A server that answers the path `/7` with redirect 7, its location sent verbatim, even if an HTTP client would refuse it. */
export async function startRedirector(redirectOf: (index: number) => Redirect): Promise<{ port: number; asked: number[] }> {
  const asked: number[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      const index = Number(/^GET \/(\d+)/.exec(data.toString("latin1"))?.[1]);
      asked.push(index);
      const { status, location } = redirectOf(index);
      socket.end(`HTTP/1.1 ${status} Go\r\nlocation: ${location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, asked };
}
