import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { CorpusContents } from "../../src/domain/ports/run-service.ts";
import type { Run } from "../../src/domain/run.ts";
import { startService } from "../helpers/start-service.ts";

const QUESTION = "灯塔的密码是多少？ What is the code of the lighthouse?";

/** A folder with a subfolder for each of these tenants, each with one file of the same name. */
async function folders(texts: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-corpora-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [tenant, text] of Object.entries(texts)) {
    await mkdir(join(dir, tenant));
    await writeFile(join(dir, tenant, "灯塔.md"), text);
  }
  return dir;
}

async function open(environment: Readonly<Record<string, string>>) {
  const service = await startService({ environment });
  const as = async (tenant: string) => {
    const { secret } = await service.keys.create({ name: tenant, tenant, scopes: ["ask"], expiresAt: null });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", prefer: "wait=60" };
    const get = (path: string) => fetch(service.url + path, { headers });
    const ask = async (body: object) =>
      (await (await fetch(`${service.url}/research`, { method: "POST", headers, body: JSON.stringify(body) })).json()) as Run;
    const held = async () => ((await (await get("/corpus")).json()) as CorpusContents).documents.map(({ path }) => path);
    return { get, ask, held };
  };
  return { service, as };
}

const FIRST = "灯塔的密码是四十二。 The code of the lighthouse is forty-two.";
const SECOND = "灯塔的密码是七十七。 The code of the lighthouse is seventy-seven.";

it("searches and reads only the folder of the run's tenant, and the deployment's for tenants without one", async () => {
  const { as } = await open({ TENANT_CORPUS_DIR: await folders({ a: FIRST, b: SECOND }) });
  const [first, second, other] = [await as("a"), await as("b"), await as("c")];
  const ask = ({ ask }: typeof first) => ask({ question: QUESTION, sources: ["corpus"] });
  const [one, two, three] = [await ask(first), await ask(second), await ask(other)];
  expect(JSON.stringify(one)).toContain("forty-two");
  expect(JSON.stringify(one)).not.toContain("seventy-seven");
  expect(JSON.stringify(two)).toContain("seventy-seven");
  expect(JSON.stringify(two)).not.toContain("forty-two");
  expect(JSON.stringify(three)).not.toMatch(/forty-two|seventy-seven/);
  expect(await Promise.all([first.held(), second.held()])).toEqual([["灯塔.md"], ["灯塔.md"]]);
  expect(await other.held()).not.toContain("灯塔.md");
  const { contentHash } = one?.report?.sources[0] ?? {};
  expect(await (await first.get(`/research/${one?.id}/documents/${contentHash}/original`)).text()).toBe(FIRST);
  expect((await second.get(`/research/${two?.id}/documents/${contentHash}/original`)).status).toBe(404);
  expect(JSON.stringify(await (await other.get("/sources")).json())).toContain('"id":"corpus"');
});

it("must not lie in the folder that all tenants read", () => {
  const environment = { CORPUS_DIR: "/srv/files", TENANT_CORPUS_DIR: "/srv/files/tenants" };
  expect(() => readConfig(environment)).toThrow(
    expect.objectContaining({ faults: [expect.objectContaining({ path: "TENANT_CORPUS_DIR" })] }),
  );
  expect(readConfig({ ...environment, TENANT_CORPUS_DIR: "/srv/files-of-tenants" }).TENANT_CORPUS_DIR).toBe("/srv/files-of-tenants");
});
