import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { formOf } from "../helpers/uploading.ts";
import { startApp } from "./app-under-test.ts";

const HEAD =
  "POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n";
const PART = '--b\r\nContent-Disposition: form-data; name="documents"; filename="灯塔.txt"\r\n\r\n';

const chunk = (content: string): string => `${Buffer.byteLength(content).toString(16)}\r\n${content}\r\n`;

/** Starts an upload that never ends; resolves with what the server says when it closes the connection. */
async function trickle(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  let answer = "";
  socket.on("data", (piece) => {
    answer += piece.toString();
  });
  onTestFinished(() => void socket.destroy());
  socket.write(HEAD + chunk(PART));
  const more = () => socket.writable && socket.write(chunk("灯"), () => setImmediate(more));
  more();
  await new Promise((resolve) => socket.on("close", resolve));
  return answer;
}

it("ends an upload that arrives piece by piece and never ends, and starts nothing", async () => {
  const { port, runs } = await startApp({ uploadMs: 100 });
  const [head = "", body = ""] = (await trickle(port)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(head).toMatch(/^connection: close/im);
  expect(JSON.parse(body)).toMatchObject({ status: 408, code: "timeout", detail: expect.stringContaining("Nothing was stored") });
  expect(runs.calls).toEqual([]);
});

it("frees the places of slow uploads for others", async () => {
  const { port, url } = await startApp({ uploadMs: 100 });
  await Promise.all(Array.from({ length: 4 }, () => trickle(port)));
  const form = formOf({ question: "灯塔里烧什么？" }, [["灯塔.txt", "灯里烧鲸油。"]]);
  expect((await fetch(`${url}/research`, { method: "POST", body: form })).status).toBe(202);
});
