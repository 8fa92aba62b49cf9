import type { ExtractedDocument } from "../domain/document.ts";
import { codeOfStatus } from "../domain/failures.ts";
import { addressOf } from "../domain/hit.ts";
import type { DocumentExtractor, DocumentReader, HttpFetch, HttpReply } from "../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../errors.ts";
import {
  CHALLENGE_MARKS,
  CHALLENGE_TITLES,
  CHALLENGE_WORDS,
  CONSENT_TITLES,
  LOGIN_WORDS,
  MISSING_TITLES,
  PAYWALL_WORDS,
} from "./block-page-patterns.ts";
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
      const wall = responseError(reply);
      if (wall !== null) throw wall;
      const document = await extract(extractor, reply, context.signal);
      const shortened = partialTextError(reply, document.text);
      if (shortened !== null) throw shortened;
      return document;
    },
  };
}

/** If a page without text has a paywall or login, throws that error instead of `empty`. */
async function extract(extractor: DocumentExtractor, reply: HttpReply, signal: AbortSignal): Promise<ExtractedDocument> {
  try {
    return await extractor.extract({ bytes: reply.body, url: reply.url, ...contentTypeOf(reply) }, signal);
  } catch (error) {
    throw (toDossierError(error).code === "empty" ? partialTextError(reply, "") : null) ?? error;
  }
}

function contentTypeOf({ headers }: HttpReply): { mediaType: string; charset?: string } {
  const declared = headers["content-type"] ?? "";
  const charset = /\bcharset\s{0,5}=\s{0,5}"?([\w:.-]+)/i.exec(declared)?.[1];
  return { mediaType: declared.split(";")[0]?.trim().toLowerCase() ?? "", ...(charset !== undefined && { charset }) };
}

/** Block pages are small, so only the start of a page is examined. */
const MAX_EXAMINED_BYTES = 300_000;
/** The length of the visible text. A longer page is no block page. */
const MAX_CHALLENGE = 2_000;
const MAX_NOTICE = 700;
const MAX_TEASER = 1_800;
const MAX_TEASER_END = 500;
const MAX_FORM = 500;
const MAX_LOGIN = 400;

// Every repetition is bounded, so that a hostile page cannot make matching slow.
const NOT_FREE = /isAccessibleForFree["']?\s{0,20}(?::|content\s{0,5}=)\s{0,20}["']?false/i;
const TITLE = /<title\b[^<>]{0,200}>([^<]{0,300})/i;
const HEADING = /<h1\b[^<>]{0,300}>([^<]{0,300})/i;
const PASSWORD = /<input\b[^<>]{0,300}\btype\s{0,5}=\s{0,5}["']?password/i;
const ARTICLE =
  /<article\b|"@type"\s{0,20}:\s{0,20}"(?:News|Blog|Scholarly)?(?:Article|Posting)"|property=["']og:type["'] content=["']article/i;

/** Returns the error for a failed response, a CAPTCHA, a consent form or a missing page, otherwise null. */
export function responseError(reply: HttpReply): DossierError | null {
  const { host } = new URL(reply.url);
  const { headers, status } = reply;
  const challenged = headers["cf-mitigated"] === "challenge" || /^(?:challenge|captcha)$/.test(headers["x-amzn-waf-action"] ?? "");
  const look = isHtml(reply) ? readPageStart(reply) : null;
  if (challenged || (look !== null && isChallenge(look))) return blocked(host, "asks for a browser check or a CAPTCHA first");
  if (status < 200 || status >= 300) return new DossierError(codeOfStatus(status, "paywalled"), `${host} answered ${status}.`);
  if (status === 204 || status === 205) return new DossierError("empty", `${host} answered ${status} without a page.`);
  if (look === null || look.shown.length > MAX_NOTICE) return null;
  if (CONSENT_TITLES.test(look.title) || /^consent\.|^guce\./.test(host)) return blocked(host, "asks for consent first");
  if (MISSING_TITLES.some((sign) => sign.test(look.title) || sign.test(look.heading)))
    return new DossierError("not_found", `${host} answered that the page does not exist.`);
  return null;
}

/** Returns the error for a page behind a paywall or login, otherwise null. `text` is the extracted text. */
export function partialTextError(reply: HttpReply, text: string): DossierError | null {
  if (!isHtml(reply) || text.length > MAX_TEASER) return null;
  const { host, html, shown } = readPageStart(reply);
  // Little extracted text in a long page means that the extraction failed, not that there is a paywall.
  const judged =
    text.length < MAX_NOTICE && shown.length < MAX_TEASER * 2 ? [text.slice(-MAX_TEASER_END), shown] : [text.slice(-MAX_TEASER_END)];
  if (NOT_FREE.test(html) || PAYWALL_WORDS.some((words) => judged.some((part) => words.test(part)))) {
    return new DossierError("paywalled", `${host} shows only the beginning of the text without a subscription.`);
  }
  const hasPassword = text.length < MAX_FORM && shown.length < MAX_CHALLENGE && PASSWORD.test(html);
  // Login pages that ask for an SMS code or a QR scan have no password field.
  const asksForLogin = shown.length < MAX_LOGIN && LOGIN_WORDS.filter((words) => words.test(shown)).length >= 2 && !ARTICLE.test(html);
  return hasPassword || asksForLogin ? blocked(host, "asks for a login first") : null;
}

function isChallenge({ html, shown, title, heading, status }: ReturnType<typeof readPageStart>): boolean {
  if (shown.length > MAX_CHALLENGE) return false;
  if (CHALLENGE_MARKS.some((mark) => mark.test(html))) return true;
  if (shown.length > MAX_NOTICE) return false;
  if (CHALLENGE_TITLES.some((sign) => sign.test(title) || sign.test(heading))) return true;
  if (status >= 400) return CHALLENGE_WORDS.some((words) => words.test(shown));
  // A short article may be about CAPTCHAs.
  return !ARTICLE.test(html) && CHALLENGE_WORDS.some((words) => words.test(shown.slice(0, MAX_NOTICE / 2)));
}

function isHtml({ headers, body }: HttpReply): boolean {
  const declared = headers["content-type"] ?? "";
  if (/html/i.test(declared)) return true;
  return declared === "" && /^\s*<(?:!doctype|html)/i.test(new TextDecoder().decode(body.subarray(0, 200)));
}

function readPageStart(reply: HttpReply) {
  const html = decodeText(reply.body.subarray(0, MAX_EXAMINED_BYTES), contentTypeOf(reply).charset);
  const line = (pattern: RegExp): string => (pattern.exec(html)?.[1] ?? "").replaceAll(/\s+/g, " ").trim();
  const { host } = new URL(reply.url);
  return { host, status: reply.status, html, shown: roughText(html), title: line(TITLE), heading: line(HEADING) };
}

function blocked(host: string, why: string): DossierError {
  return new DossierError("blocked", `${host} ${why}.`);
}

const HIDDEN = /<(script|style|noscript|template|svg|title|iframe)\b/iy;

/** Returns roughly the visible text, in linear time. Good enough to recognize block pages, but not to quote. */
export function roughText(html: string): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    pieces.push(html.slice(at, open === -1 ? html.length : open));
    const close = open === -1 ? -1 : endOfTag(html, open);
    if (close === -1) break;
    at = close;
  }
  return pieces.join(" ").replaceAll(/\s+/g, " ").trim();
}

function endOfTag(html: string, open: number): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open);
  HIDDEN.lastIndex = open;
  const hidden = HIDDEN.exec(html);
  if (hidden === null) return after(html, ">", open);
  const closing = new RegExp(`</${hidden[1]}`, "gi");
  closing.lastIndex = open;
  const start = closing.exec(html)?.index;
  return start === undefined ? -1 : after(html, ">", start);
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? -1 : found + end.length;
}
