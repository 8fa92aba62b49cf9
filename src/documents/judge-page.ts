import type { HttpReply } from "../domain/ports/http-fetch.ts";
import { DossierError, type ErrorCode } from "../errors.ts";

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "blocked",
  402: "paywalled",
  403: "blocked",
  404: "not_found",
  407: "blocked",
  410: "not_found",
  429: "rate_limited",
  451: "blocked",
};

/** Why an answer is no page worth reading, or null where it is one. */
export function judgePage({ url, status }: HttpReply): DossierError | null {
  if (status >= 200 && status < 300) return null;
  const code = CODE_OF_STATUS[status] ?? (status >= 500 ? "unreachable" : "unreadable");
  return new DossierError(code, `${new URL(url).host} answered ${status}.`);
}
