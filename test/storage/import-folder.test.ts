import { expect, it } from "vitest";
import { importFolder } from "../../src/storage/postgres/import-folder.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { createDatabase } from "../helpers/postgres.ts";

it("copies a data folder with everything that it has into PostgreSQL, where the next run follows", async () => {
  const before = await openDossier();
  const { id } = await before.start({ question: "谁设计了奥尔德穆尔灯塔？", threadId: "T" });
  const run = await before.finish(id);
  const files = [{ name: "灯.txt", bytes: new TextEncoder().encode("灯塔的灯使用鲸油。"), mediaType: "text/plain" }];
  await before.threads.add(TENANT, "T", { files, urls: [] }, new AbortController().signal);
  const lines = await before.recordingLines(id);
  await before.close(0);

  const url = await createDatabase();
  const folder = `${before.dir}/data`;
  const postgres = { url, connections: 2 };
  expect(await importFolder(folder, `${before.dir}/other`, postgres)).toBe(1);
  await expect(importFolder(folder, `${before.dir}/other`, postgres)).rejects.toMatchObject({ code: "invalid_request" });

  const after = await openDossier({ dir: before.dir, environment: { DATABASE_URL: url } });
  expect(await after.runs.get(TENANT, id)).toEqual(run);
  expect(await after.recordingLines(id)).toEqual(lines);
  expect((await after.threads.list(TENANT, "T")).documents.map(({ name }) => name)).toEqual(["灯.txt"]);
  const next = await after.finish((await after.start({ question: "灯使用什么？", threadId: "T" })).id);
  expect(next.status).toBe("succeeded");
  expect((await after.runs.list(TENANT, { limit: 9 })).runs.map((one) => one.id)).toEqual([next.id, id]);
});

it("refuses a second process in one data folder, and an address that nobody serves", async () => {
  const url = await createDatabase();
  const dossier = await openDossier({ environment: { DATABASE_URL: url } });
  const open = (address: string, folder = "other") =>
    openStorage(`${dossier.dir}/${folder}`, { postgres: { url: address, connections: 2 } });
  await expect(open(url, "data")).rejects.toMatchObject({ code: "data_dir_in_use" });
  await expect(open("postgres://dossier@127.0.0.1:1/none")).rejects.toMatchObject({ code: "config_invalid" });
  await dossier.close(0);
});
