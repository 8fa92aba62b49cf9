import { DossierError } from "../../errors.ts";
import type { Answer, Judge } from "../services/service-client.ts";

/** What gives an answer away stands at its beginning. */
const HEAD = 3_000;
const S3_ERROR = /^\s*(?:<\?xml[^>]*>)?\s*<Error>\s*<Code>(\w+)<\/Code>/;
const TOO_FAST = /request rate threshold exceeded/i;
const UNDECLARED = /undeclared automated tool/i;

/**
 * What EDGAR says in its own words, whatever the status: S3 has `AccessDenied` for a file that does not exist as well as
 * `NoSuchKey`, and the page for clients that did not say who they are may come with any status.
 */
export function createJudge(contactEmail: string | undefined): Judge {
  return ({ status, text }: Answer) => {
    const head = text.slice(0, HEAD);
    const code = S3_ERROR.exec(head)?.[1];
    if (code === "NoSuchKey" || code === "AccessDenied") return new DossierError("not_found", `SEC EDGAR has no such file (${code}).`);
    if (code !== undefined) return new DossierError("unreachable", `SEC EDGAR answered with an error (${code}).`);
    if (TOO_FAST.test(head))
      return new DossierError("rate_limited", "SEC EDGAR takes this for too many requests; it lifts that after ten minutes.");
    return UNDECLARED.test(head) || status === 403 ? refused(contactEmail) : null;
  };
}

function refused(contactEmail: string | undefined): DossierError {
  const advice =
    contactEmail === undefined
      ? "It serves only clients that name an address to write to: set CONTACT_EMAIL."
      : "It was told the address in CONTACT_EMAIL; see https://www.sec.gov/os/accessing-edgar-data.";
  return new DossierError("blocked", `SEC EDGAR refused the request. ${advice}`);
}
