import { startLoopback } from "../fakes/loopback-server.ts";

/** A local port that nothing listens on. */
export async function closedPort(): Promise<string> {
  const server = await startLoopback(() => {});
  await server.close();
  return new URL(server.url).port;
}
