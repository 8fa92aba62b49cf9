import type Database from "better-sqlite3";
import type { EarlierFindings, FindEarlier } from "../../domain/ports/earlier-findings.ts";
import { ReportSchema } from "../../domain/report.ts";
import type { WriteQueue } from "./write-queue.ts";

/** The earlier runs of a thread in the data folder's database. */
export function createFindEarlier(database: Database.Database, queue: WriteQueue): FindEarlier {
  const select = database.prepare(`select earlier.report from runs earlier join runs own
    on own.tenant = earlier.tenant and own.thread_id = earlier.thread_id and earlier.position < own.position
    where own.id = ? and earlier.id = ? and earlier.status = 'succeeded' and json_valid(earlier.report)`);
  const use = database.prepare(`insert or ignore into run_documents (run_id, content_hash, details)
    select ?, content_hash, details from run_documents where run_id = ? and content_hash = ?`);
  return async (runId, earlierRun) => {
    const row = select.get(runId, earlierRun) as { report: string } | undefined;
    const found = row === undefined ? null : borneOutIn(row.report);
    if (found === null) return null;
    const hashes = new Set(found.citations.map(({ contentHash }) => contentHash));
    await queue.run(() => {
      for (const hash of hashes) use.run(runId, earlierRun, hash);
    });
    return found;
  };
}

function borneOutIn(stored: string): EarlierFindings | null {
  const report = ReportSchema.safeParse(JSON.parse(stored)).data;
  const claims = (report?.claims ?? []).filter(({ supported, citations }) => supported && citations.length > 0);
  if (report === undefined || claims.length === 0) return null;
  const ids = new Set(claims.flatMap((claim) => claim.citations));
  const citations = report.citations.filter(({ id }) => ids.has(id));
  const cited = new Set(citations.map(({ sourceId }) => sourceId));
  return {
    claims: claims.map(({ origins: _, ...claim }) => claim),
    citations,
    sources: report.sources.filter(({ id }) => cited.has(id)),
  };
}
