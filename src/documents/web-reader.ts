import type { ExtractedDocument } from "../domain/document.ts";
import { codeOfStatus } from "../domain/failures.ts";
import { addressOf } from "../domain/hit.ts";
import type { DocumentExtractor, DocumentReader, HttpFetch, HttpReply } from "../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { decodeText } from "./decode-text.ts";

const MAX_BYTES = 20_000_000;
const ACCEPT = "text/html, application/xhtml+xml, application/pdf, text/plain, text/markdown;q=0.9, */*;q=0.5";

/**
 * Reads the open full text of a hit if it is known, otherwise the page of the hit.
 * @throws DossierError from `read`: the errors of the fetch and the extractor, of `responseError`, and `paywalled` or `blocked`
 */
export function createWebReader(fetch: HttpFetch, extractor: DocumentExtractor): DocumentReader {
  return {
    async read(hit, context) {
      const request = { url: addressOf(hit), maxBytes: MAX_BYTES, headers: { accept: ACCEPT } };
      const reply = await fetch.follow(hit.foundBy, request, context);
      const refusal = responseError(reply);
      if (refusal !== null) throw refusal;
      const document = await extract(extractor, reply, context.signal);
      const wall = wallError(reply, document.text);
      if (wall !== null) throw wall;
      return document;
    },
  };
}

/** If a page without text has a challenge, a paywall or a login, throws that error instead of `empty`. */
async function extract(extractor: DocumentExtractor, reply: HttpReply, signal: AbortSignal): Promise<ExtractedDocument> {
  try {
    return await extractor.extract({ bytes: reply.body, url: reply.url, ...contentTypeOf(reply) }, signal);
  } catch (error) {
    throw (toDossierError(error).code === "empty" ? wallError(reply, "") : null) ?? error;
  }
}

function contentTypeOf({ headers }: HttpReply): { mediaType: string; charset?: string } {
  const declared = headers["content-type"] ?? "";
  const charset = /\bcharset\s{0,5}=\s{0,5}"?([\w:.-]+)/i.exec(declared)?.[1];
  return { mediaType: declared.split(";")[0]?.trim().toLowerCase() ?? "", ...(charset !== undefined && { charset }) };
}

/** Walls are small pages, so only the start of a page is examined. */
const MAX_EXAMINED_BYTES = 300_000;
/** The lengths of extracted texts. A page with a longer one is no wall. */
const MAX_TEASER = 1_800;
const MAX_FORM = 500;

// Every repetition is bounded, so that a hostile page cannot make matching slow.

/** What the pages of bot protections contain, and the pages behind them do not. */
const CHALLENGE_MARKS: readonly RegExp[] = [
  // The first pattern is Cloudflare's. It does not match `scripts/jsd`, which all pages behind Cloudflare load.
  /_cf_chl_opt|\/cdn-cgi\/challenge-platform\/[^"']{0,40}orchestrate|cf-browser-verification|id="?challenge-(?:form|error-text)/,
  /id=["']?px-captcha|captcha\.px-cdn\.net|_pxBlockedUrl|window\._pxHostUrl/,
  /(?:geo|ct|interstitial)\.captcha-delivery\.com/,
  /errors\.edgesuite\.net|sec-(?:if-)?cpt-(?:container|if)|\/_sec\/cp_challenge\//,
  /_Incapsula_Resource\?[^"']{0,200}(?:CWUDNSAI|incident_id)|Incapsula incident ID/i,
  /window\.gokuProps|AwsWafIntegration\.(?:saveReferrer|checkForceRefresh|getToken)|\.awswaf\.com\/[^"']{1,200}\/captcha\.js/,
  /id="?anubis_(?:challenge|version|base_prefix)|\/\.within\.website\/x\/cmd\/anubis\//,
  /\/\.well-known\/ddos-guard\/(?:js-challenge|check|id)|ddg-captcha|\bdata-ddg-origin\b/,
  /sucuri_cloudproxy_js|Sucuri WebSite Firewall - Access Denied/,
  /\/149e9513-01fa-4fb0-aad4-566afd725d1b\/|KPSDK\.(?:configure|scriptStart)/,
  /distil_r_captcha|\/distil_(?:r_blocked|identify)/,
  /\/\.well-known\/vercel\/security\//,
  /wappass\.baidu\.com\/static\/captcha|_____tmd_____\/punish|\/punish\?x5secdata|id="?nocaptcha"?[^>]{0,200}baxia/,
];

const NOT_FREE = /isAccessibleForFree["']?\s{0,20}(?::|content\s{0,5}=)\s{0,20}["']?false/i;
const PASSWORD = /<input\b[^<>]{0,300}\btype\s{0,5}=\s{0,5}["']?password/i;
const CONSENT_HOST = /^(?:consent|guce)\./;

/** Returns the error for a failed response, a CAPTCHA or a consent form, otherwise null. */
export function responseError(reply: HttpReply): DossierError | null {
  const { host } = new URL(reply.url);
  const { headers, status } = reply;
  const isChallenge = headers["cf-mitigated"] === "challenge" || /^(?:challenge|captcha)$/.test(headers["x-amzn-waf-action"] ?? "");
  if (isChallenge || (status >= 400 && hasChallenge(startOf(reply)))) return blocked(reply, "asks for a browser check or a CAPTCHA first");
  if (status < 200 || status >= 300) return new DossierError(codeOfStatus(status, "paywalled"), `${host} answered ${status}.`);
  if (status === 204 || status === 205) return new DossierError("empty", `${host} answered ${status} without a page.`);
  return CONSENT_HOST.test(host) ? blocked(reply, "asks for consent first") : null;
}

/** Returns the error for a page with a challenge, a paywall or a login in place of its text, otherwise null. */
export function wallError(reply: HttpReply, text: string): DossierError | null {
  const page = startOf(reply);
  if (page === "" || text.length > MAX_TEASER) return null;
  if (hasChallenge(page)) return blocked(reply, "asks for a browser check or a CAPTCHA first");
  if (NOT_FREE.test(page))
    return new DossierError("paywalled", `${new URL(reply.url).host} shows only the beginning of the text without a subscription.`);
  return text.length < MAX_FORM && PASSWORD.test(page) ? blocked(reply, "asks for a login first") : null;
}

function hasChallenge(page: string): boolean {
  return CHALLENGE_MARKS.some((mark) => mark.test(page));
}

/** Returns the start of a page; `""` if the reply is no page. */
function startOf(reply: HttpReply): string {
  const { body, headers } = reply;
  const declared = headers["content-type"] ?? "";
  const isPage = declared === "" ? /^\s*<(?:!doctype|html)/i.test(new TextDecoder().decode(body.subarray(0, 200))) : /html/i.test(declared);
  return isPage ? decodeText(body.subarray(0, MAX_EXAMINED_BYTES), contentTypeOf(reply).charset) : "";
}

function blocked({ url }: HttpReply, why: string): DossierError {
  return new DossierError("blocked", `${new URL(url).host} ${why}.`);
}
