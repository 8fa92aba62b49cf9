import { expect, it } from "vitest";
import { codeOf, inScope, openNetwork } from "./network-under-test.ts";
import { startRaw, whole } from "./raw-server.ts";

const HOUR = 3_600_000;

/** A site that answers `robots.txt` with this, and every other path with a page. */
async function openSite(robots: () => Buffer, obeysRobots = true) {
  let now = 0;
  const server = await startRaw((socket, head) => {
    socket.write(head.startsWith("GET /robots.txt ") ? robots() : whole("页"));
  });
  const network = openNetwork([`127.0.0.1:${server.port}`], {
    clock: () => now,
    obeysRobots,
    userAgent: "dossier/0.4.0 (mailto:a@b.example)",
  });
  const read = (path: string) => codeOf(network.follow("web", { url: server.url + path }, inScope("web")));
  const asked = () => server.heads.map((head) => head.split(" ")[1]);
  return { read, asked, wait: (ms: number) => (now += ms) };
}

it("reads what robots.txt allows this program, asks for the file once in an hour, and reads nothing else", async () => {
  let rules = "User-agent: *\nDisallow: /\n\nUser-agent: Dossier\nDisallow: /private/\nAllow: /private/报告\n";
  const { read, asked, wait } = await openSite(() => whole(rules));
  expect(await read("/a")).toBe("no error");
  expect(await read("/private/x")).toBe("out_of_scope");
  expect(await read("/private/报告?n=1")).toBe("no error");
  rules = "User-agent: *\nDisallow: /";
  expect(await read("/b")).toBe("no error");
  wait(HOUR);
  expect(await read("/c")).toBe("out_of_scope");
  expect(asked().filter((path) => path === "/robots.txt")).toHaveLength(2);
  expect(asked()).not.toContain("/private/x");
});

it("reads everything of a site without the file, and nothing of one that cannot say", async () => {
  const none = await openSite(() => whole("", {}, "404 Not Found"));
  expect(await none.read("/a")).toBe("no error");
  const broken = await openSite(() => whole("", {}, "503 Service Unavailable"));
  expect(await broken.read("/a")).toBe("out_of_scope");
});

it("asks for no robots.txt where the operator has not set it", async () => {
  const { read, asked } = await openSite(() => whole("User-agent: *\nDisallow: /"), false);
  expect(await read("/a")).toBe("no error");
  expect(asked()).toEqual(["/a"]);
});

it("follows redirects of robots.txt and of pages, and asks each site", async () => {
  const { read, asked } = await openSite(() => whole("", { location: "/elsewhere.txt" }, "301 Moved Permanently"));
  expect(await read("/a")).toBe("no error");
  expect(asked()).toEqual(["/robots.txt", "/elsewhere.txt", "/a"]);
});
