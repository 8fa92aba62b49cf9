import pg from "pg";
import { DossierError } from "../../errors.ts";

/**
 * Classes of SQLSTATE (PostgreSQL manual, appendix A) in which the server cannot do its work: connection exceptions, insufficient
 * resources such as a full disk, operator intervention such as a restart, system errors; and a read-only server.
 */
const REFUSALS = /^(?:08|53|57P|58)|^25006$/;
/** A serialization failure or a deadlock: nothing was written, and the same work may succeed. */
const REPEATABLE = ["40001", "40P01"];
/** Codes of Node's sockets. */
const NETWORK = /^E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)$/;

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isRepeatable(error: unknown): boolean {
  return REPEATABLE.includes(codeOf(error));
}

/** Returns `storage_unavailable` if the server could not be reached or could not do its work, else null. */
export function refusalOf(error: unknown): DossierError | null {
  if (!(error instanceof Error) || error instanceof DossierError) return null;
  const code = codeOf(error);
  // The driver gives no code where a connection ends, or none was free in time.
  const isLost = !(error instanceof pg.DatabaseError) && (NETWORK.test(code) || /connect(?:ion|ing)|timeout/i.test(error.message));
  if (!isLost && !REFUSALS.test(code)) return null;
  const message = `The database cannot be used (${error.message}). Nothing was changed; try again later.`;
  return new DossierError("storage_unavailable", message, { cause: error });
}
