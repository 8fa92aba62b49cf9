import { startLoopback } from "../fakes/loopback-server.ts";

/** A port of this machine on which nobody listens any more. */
export async function closedPort(): Promise<string> {
  const server = await startLoopback(() => {});
  await server.close();
  return new URL(server.url).port;
}
