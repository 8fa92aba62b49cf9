import { request } from "node:http";
import { expect, it } from "vitest";
import { startApp } from "./app-under-test.ts";

const started = async () => startApp({ basePath: "/dossier" });

it.each(["/dossier", ""])("gives every address the path, whether the proxy asks with %j before it or not", async (asked) => {
  const { url } = await started();
  const base = `${url}${asked}`;
  const page = await (await fetch(`${base}/runs/1`, { headers: { accept: "text/html" } })).text();
  const addresses = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
  expect(addresses.length).toBeGreaterThan(2);
  expect(addresses.filter((address) => !address?.startsWith("/dossier/"))).toEqual([]);
  expect(page).toContain('name="base-path" content="/dossier"');
  for (const address of addresses) expect((await fetch(new URL(address ?? "", url))).status).toBe(200);

  const body = JSON.stringify({ question: "灯塔建于哪一年？" });
  const answer = await fetch(`${base}/research`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const run = (await answer.json()) as { readonly id: string; readonly links: Record<string, string> };
  expect(answer.headers.get("location")).toBe(`/dossier/research/${encodeURIComponent(run.id)}`);
  expect(Object.values(run.links).filter((link) => !link.startsWith("/dossier/research/"))).toEqual([]);
  const listed = (await (await fetch(`${base}/research?limit=1`)).json()) as { readonly runs: readonly (typeof run)[] };
  for (const { links } of listed.runs) expect(links["self"]).toMatch(/^\/dossier\/research\//);
  expect(await (await fetch(`${base}/docs/`)).text()).toContain('"url": "../openapi.json"');
  expect((await fetch(`${base}/docs/js/scalar.js`)).status).toBe(200);
  expect(((await (await fetch(`${base}/openapi.json`)).json()) as { servers: unknown }).servers).toEqual([{ url: "/dossier" }]);
});

it("takes the path off only where it ends", async () => {
  const { url } = await started();
  const statusOf = async (path: string) => (await fetch(`${url}${path}`, { headers: { accept: "application/json" } })).status;
  expect([await statusOf("/dossier/healthz"), await statusOf("/dossierhealthz"), await statusOf("/dossier?x=1")]).toEqual([200, 404, 406]);
  const raw = await new Promise<number | undefined>((resolve) =>
    request(`${url}/dossier`, (answer) => resolve(answer.resume().statusCode)).end(),
  );
  expect(raw).toBe(200);
});
