import { expect, it } from "vitest";
import { closedPort } from "../contracts/closed-port.ts";
import { codeOf, inScope, openNetwork, service } from "./network-under-test.ts";
import { startRaw, whole } from "./raw-server.ts";

const NOW = Date.UTC(2026, 7, 1);

/**
 * Returns how often a service was requested, for how long it was left alone in between, and the result, if it responds with `answers` in
 * order; null closes the connection.
 */
async function askPaced(answers: readonly (Buffer | null)[]): Promise<{ asked: number; pauses: number[]; result: number | string }> {
  const pauses: number[] = [];
  const server = await startRaw((socket) => {
    const answer = answers[Math.min(server.heads.length, answers.length) - 1];
    if (answer) socket.write(answer);
    else socket.destroy();
  });
  const network = openNetwork([], { baseUrls: { svc: server.url }, clock: () => NOW, pause: async (ms) => pauses.push(ms) });
  const reply = network.ask(service("svc.example"), { url: "https://svc.example/" }, inScope("svc"));
  const result = await reply.then(
    ({ status }) => status,
    () => codeOf(reply),
  );
  return { asked: server.heads.length, pauses, result };
}

async function askOnce(answers: readonly (Buffer | null)[]): Promise<{ asked: number; result: number | string }> {
  const { asked, result } = await askPaced(answers);
  return { asked, result };
}

const BUSY = whole("busy", {}, "503 Busy");
const wait = (retryAfter: string, status = "429 Too Many") => whole("", { "retry-after": retryAfter }, status);

it("requests a service once more after a broken connection and after an outage", async () => {
  expect(await askOnce([null, whole("ok")])).toEqual({ asked: 2, result: 200 });
  expect(await askOnce([BUSY, whole("ok")])).toEqual({ asked: 2, result: 200 });
  expect(await askOnce([BUSY, BUSY, whole("ok")])).toEqual({ asked: 2, result: 503 });
  expect(await askOnce([null, null, whole("ok")])).toEqual({ asked: 2, result: "unreachable" });
});

it("waits as long as Retry-After says, and reports a long wait as the failure", async () => {
  expect(await askPaced([wait("1"), whole("ok")])).toEqual({ asked: 2, pauses: [1_000], result: 200 });
  const date = wait(new Date(NOW + 3_000).toUTCString());
  expect(await askPaced([date, whole("ok")])).toEqual({ asked: 2, pauses: [3_000], result: 200 });
  expect(await askPaced([wait("0", "503 Busy"), whole("ok")])).toEqual({ asked: 2, pauses: [0], result: 200 });
  expect(await askPaced([BUSY, whole("ok")])).toEqual({ asked: 2, pauses: [500], result: 200 });
  expect(await askOnce([wait("60"), whole("ok")])).toEqual({ asked: 1, result: 429 });
  expect(await askOnce([wait(new Date(NOW + 3_600_000).toUTCString()), whole("ok")])).toEqual({ asked: 1, result: 429 });
  expect(await askOnce([whole("", {}, "429 Too Many"), whole("ok")])).toEqual({ asked: 1, result: 429 });
});

it("sends one request if a retry would fail the same", async () => {
  for (const status of ["400 Bad", "401 No", "403 No", "404 None", "500 Oops"]) {
    expect(await askOnce([whole("", {}, status), whole("ok")])).toEqual({ asked: 1, result: Number(status.slice(0, 3)) });
  }
  const network = openNetwork([], { baseUrls: { svc: `http://127.0.0.1:${await closedPort()}` } });
  expect(await codeOf(network.ask(service("svc.example"), { url: "https://svc.example/" }, inScope("svc")))).toBe("unreachable");
});

it("requests a link once, because the next run may request it again", async () => {
  const server = await startRaw((socket) => void socket.write(BUSY));
  const network = openNetwork([`127.0.0.1:${server.port}`]);
  expect((await network.follow("web", { url: server.url }, inScope("web"))).status).toBe(503);
  expect(server.heads.length).toBe(1);
});
