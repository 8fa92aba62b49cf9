import { expect, it } from "vitest";
import { codeOf, inScope, openNetwork, service } from "./network-under-test.ts";
import { startRaw, whole } from "./raw-server.ts";

const KEYS = { authorization: "Bearer k", cookie: "c=k", "x-api-key": "k", "x-subscription-token": "k", "x-some-new-key": "k" };

it("sends no keys after a redirect to another origin", async () => {
  const elsewhere = await startRaw((socket) => void socket.write(whole("there")));
  const own = await startRaw((socket, head) => {
    socket.write(
      head.startsWith("GET /here") ? whole("", { location: `${elsewhere.url}/` }, "302 Found") : whole("", { location: "/here" }, "307 Go"),
    );
  });
  const network = openNetwork([`127.0.0.1:${elsewhere.port}`], { baseUrls: { svc: own.url } });
  await network.ask(service("svc.example"), { url: "https://svc.example/", headers: { accept: "text/html", ...KEYS } }, inScope("svc"));
  expect(own.heads.length).toBe(2);
  for (const head of own.heads) expect(head.toLowerCase()).toContain("x-some-new-key: k");
  expect(elsewhere.heads.join().toLowerCase()).toContain("accept: text/html");
  expect(elsewhere.heads.join()).not.toMatch(/: (?:Bearer k|c=k|k)\b/);
});

it("sends a body again within its origin, and to no other", async () => {
  const elsewhere = await startRaw((socket) => void socket.write(whole("there")));
  const own = await startRaw((socket, head) => {
    const location = head.startsWith("POST /away") ? elsewhere.url : "/done";
    socket.write(head.startsWith("POST /done") ? whole("done") : whole("", { location }, "307 Go"));
  });
  const network = openNetwork([`127.0.0.1:${elsewhere.port}`], { baseUrls: { svc: own.url } });
  const ask = (path: string) =>
    network.ask(service("svc.example"), { url: `https://svc.example${path}`, method: "POST", body: '{"api_key":"k"}' }, inScope("svc"));
  expect(new TextDecoder().decode((await ask("/")).body)).toBe("done");
  expect(await codeOf(ask("/away"))).toBe("unreachable");
  expect(elsewhere.heads).toEqual([]);
});

it("asks with GET and without a body after 301, 302 and 303", async () => {
  for (const status of [301, 302, 303]) {
    const own = await startRaw((socket, head) => {
      socket.write(head.startsWith("POST") ? whole("", { location: "/done" }, `${status} Go`) : whole("done"));
    });
    const network = openNetwork([], { baseUrls: { svc: own.url } });
    const headers = { "content-type": "application/json" };
    await network.ask(service("svc.example"), { url: "https://svc.example/", method: "POST", headers, body: "{}" }, inScope("svc"));
    expect(own.heads[1]).toMatch(/^GET \/done/);
    expect(own.heads[1]).not.toMatch(/content-(?:type|length)/i);
  }
});

it("keeps no cookies", async () => {
  const server = await startRaw((socket) => void socket.write(whole("page", { "set-cookie": "id=1", "cache-control": "no-store" })));
  const network = openNetwork([`127.0.0.1:${server.port}`]);
  for (let i = 0; i < 2; i++) await network.follow("web", { url: server.url }, inScope("web"));
  expect(server.heads.join().toLowerCase()).not.toContain("cookie");
});

it("follows redirects of the operator's own service within its origin, and nowhere else in the private network", async () => {
  const private_ = await startRaw((socket) => void socket.write(whole("private")));
  const own = await startRaw((socket, head) => {
    const location = head.startsWith("GET /base/away") ? private_.url : `${own.url}/other/place`;
    socket.write(head.startsWith("GET /other/place") ? whole("found") : whole("", { location }, "302 Found"));
  });
  const network = openNetwork([], { baseUrls: { svc: `${own.url}/base/` } });
  const ask = (path: string) => network.ask(service("svc.example"), { url: `https://svc.example${path}` }, inScope("svc"));
  expect(new TextDecoder().decode((await ask("/search")).body)).toBe("found");
  expect(await codeOf(ask("/away"))).toBe("forbidden_address");
  expect(private_.heads).toEqual([]);
});
