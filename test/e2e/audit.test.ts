import { expect, it } from "vitest";
import type { ThreadMaterial } from "../../src/domain/ports/material.ts";
import type { Run } from "../../src/domain/run.ts";
import { startService } from "../helpers/start-service.ts";

async function open() {
  const service = await startService({});
  const { key, secret } = await service.keys.create({ name: "研究", tenant: "acme", scopes: ["ask"], expiresAt: null });
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = { authorization: `Bearer ${secret}` }) =>
    fetch(service.url + path, {
      method,
      headers: { ...headers, prefer: "wait=60", ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const audited = async (count: number) => {
    const lines = () => service.logLines.filter(({ audit }) => audit === true);
    await expect.poll(() => lines().length).toBe(count);
    return lines();
  };
  return { service, key, secret, send, audited };
}

it("writes one line of audit for each act, with who, which and the outcome", async () => {
  const { key, send, audited } = await open();
  const run = (await (await send("POST", "/research", { question: "灯塔的灯烧什么？", sources: ["corpus"], threadId: "T" })).json()) as Run;
  const material = await send("POST", "/threads/T/documents", { urls: ["https://a.example/x"] });
  const [url] = ((await material.json()) as ThreadMaterial).urls;
  const [text, runId] = ["0".repeat(64), run.id];
  const link = (await (await send("POST", `/research/${runId}/share-links`, {})).json()) as { id: string };
  await send("DELETE", `/research/${runId}/share-links/${link.id}`);
  await send("PATCH", "/threads/T", { shared: true });
  await send("DELETE", `/threads/T/documents/${text}`);
  await send("DELETE", `/threads/T/urls/${url?.sourceId}`);
  await (await send("GET", `/research/${runId}/recording`)).text();
  await (await send("GET", `/research/${runId}/bundle`)).text();
  await send("POST", `/research/${runId}/cancel`);
  await send("DELETE", `/research/${runId}`);
  const lines = await audited(9);
  const who = { level: 30, key: "研究", keyId: key.id, tenant: "acme", address: "127.0.0.1", time: expect.any(Number) };
  const acts = [
    { operationId: "createShareLink", runId, linkId: link.id, status: 201 },
    { operationId: "revokeShareLink", runId, linkId: link.id, status: 204 },
    { operationId: "shareThread", threadId: "T", shared: true, status: 200 },
    { operationId: "deleteThreadDocument", threadId: "T", contentHash: text, status: 404 },
    { operationId: "deleteThreadUrl", threadId: "T", sourceId: url?.sourceId, status: 204 },
    { operationId: "getRecording", runId, status: 200 },
    { operationId: "getBundle", runId, status: 200 },
    { operationId: "cancelResearch", runId, status: 409 },
    { operationId: "deleteResearch", runId, status: 204 },
  ];
  expect(lines).toMatchObject(acts.map((act) => ({ ...who, ...act })));
});

it("writes who signs in and out, and which keys are refused", async () => {
  const { service, secret, send, audited } = await open();
  const signedIn = await send("POST", "/session", { key: secret }, {});
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  await send("POST", "/session", { key: "dossier_wrong" }, {});
  await send("DELETE", "/session", undefined, { cookie });
  await send("GET", "/research", undefined, { cookie });
  await send("DELETE", "/research/R", undefined, { "x-api-key": "dossier_wrong" });
  await send("GET", "/workers");
  await send("GET", "/research", undefined, {});
  const lines = await audited(6);
  const session = lines[0]?.["keyId"];
  expect(lines).toMatchObject([
    { operationId: "signIn", status: 200, key: "研究", tenant: "acme", keyId: expect.any(String) },
    { operationId: "signIn", status: 401, address: "127.0.0.1" },
    { operationId: "signOut", status: 204, key: "研究", keyId: session },
    { operationId: "listResearch", status: 401, address: "127.0.0.1" },
    { operationId: "deleteResearch", runId: "R", status: 401 },
    { operationId: "listWorkers", status: 403, key: "研究" },
  ]);
  expect(lines[1]).not.toHaveProperty("key");
  const logged = JSON.stringify(service.logLines);
  for (const hidden of [secret, "dossier_wrong", cookie.split("=")[1] ?? ""]) expect(logged).not.toContain(hidden);
});

it("never logs the secret of a link, however its address is written", async () => {
  const { service } = await open();
  const hidden = "S".repeat(43);
  const addresses = [
    `/shared/${hidden}`,
    `/%73hared/${hidden}?format=md`,
    `/shared/${hidden}/`,
    `/dossier/shared/${hidden}`,
    `//${hidden}`,
  ];
  for (const address of addresses) await fetch(service.url + address);
  const answered = () => service.logLines.filter(({ msg }) => msg === "request answered");
  await expect.poll(() => answered().length).toBe(addresses.length);
  expect(answered()[1]).toMatchObject({ path: "/shared/:secret", operationId: "getSharedReport", status: 404 });
  expect(JSON.stringify(service.logLines)).not.toContain(hidden);
});
