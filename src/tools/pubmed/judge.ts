import { DossierError } from "../../errors.ts";
import { plainText } from "../hits/plain-text.ts";
import type { Answer } from "../services/service-client.ts";

const TOO_FAST = /API rate limit exceeded|too many requests/i;
const BAD_KEY = /API key (?:invalid|not valid)/i;
/** How far into an answer its own errors are looked for. */
const HEAD = 2_000;

/**
 * The errors of the E-utilities, which often have status 200: `{"error"}`, `{"esearchresult":{"ERROR"}}` and `<ERROR>`. The
 * answer itself is not repeated, because it names the caller's key or address.
 */
export function judgeEntrez({ status, text }: Answer, hasKey: boolean): DossierError | null {
  const head = text.slice(0, HEAD);
  if (status === 429 || (TOO_FAST.test(head) && isError(head))) {
    const advice = hasKey ? "" : " Set PUBMED_API_KEY for 10 requests a second instead of 3.";
    return new DossierError("rate_limited", `PubMed did not search: too many requests.${advice}`);
  }
  if (BAD_KEY.test(head)) return new DossierError("blocked", "PubMed refused the key in PUBMED_API_KEY.");
  const said = /"ERROR"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(head)?.[1] ?? /<ERROR>([^<]+)<\/ERROR>/i.exec(head)?.[1];
  if (said === undefined) return null;
  const message = plainText(said).slice(0, 200);
  if (/cannot get document|ID list is empty|incorrect id|invalid uid/i.test(message))
    return new DossierError("not_found", `PubMed knows none of these records: ${message}.`);
  return new DossierError("unreachable", `PubMed could not search: ${message}.`);
}

function isError(head: string): boolean {
  return /^\s*\{\s*"error"/.test(head) || /<ERROR>/i.test(head);
}
