import type { ExtractedDocument } from "../domain/document.ts";
import { codeOfStatus } from "../domain/failures.ts";
import { addressOf } from "../domain/hit.ts";
import type { DocumentExtractor, DocumentReader, HttpFetch, HttpReply } from "../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { decodeText } from "./document-kind.ts";
import {
  CHALLENGE_MARKS,
  CHALLENGE_TITLES,
  CHALLENGE_WORDS,
  CONSENT_TITLES,
  LOGIN_WORDS,
  MISSING_TITLES,
  PAYWALL_WORDS,
} from "./wall-signs.ts";

const MAX_BYTES = 20_000_000;
const ACCEPT = "text/html, application/xhtml+xml, application/pdf, text/plain, text/markdown;q=0.9, */*;q=0.5";

/**
 * Reads the open full text of a hit if the finder knows one, otherwise its page.
 * @throws DossierError from `read`: what the fetch and the extractor throw, and `not_found`, `blocked`, `rate_limited`,
 *   `paywalled`, `unreachable`, `empty` by the answer
 */
export function createWebReader(fetch: HttpFetch, extractor: DocumentExtractor): DocumentReader {
  return {
    async read(hit, context) {
      const request = { url: addressOf(hit), maxBytes: MAX_BYTES, headers: { accept: ACCEPT } };
      const reply = await fetch.follow(hit.foundBy, request, context);
      const wall = judgeAnswer(reply);
      if (wall !== null) throw wall;
      const document = await extract(extractor, reply, context.signal);
      const shortened = judgeText(reply, document.text);
      if (shortened !== null) throw shortened;
      return document;
    },
  };
}

/** A page without text may be a paywall or a login. */
async function extract(extractor: DocumentExtractor, reply: HttpReply, signal: AbortSignal): Promise<ExtractedDocument> {
  try {
    return await extractor.extract({ bytes: reply.body, url: reply.url, ...contentTypeOf(reply) }, signal);
  } catch (error) {
    throw (toDossierError(error).code === "empty" ? judgeText(reply, "") : null) ?? error;
  }
}

function contentTypeOf({ headers }: HttpReply): { mediaType: string; charset?: string } {
  const declared = headers["content-type"] ?? "";
  const charset = /;\s{0,5}charset\s{0,5}=\s{0,5}"?([\w:.-]+)/i.exec(declared)?.[1];
  return { mediaType: declared.split(";")[0]?.trim().toLowerCase() ?? "", ...(charset !== undefined && { charset }) };
}

/** Walls are small: only the start of a page is judged. */
const JUDGED_BYTES = 300_000;
/** A page that shows more text, in UTF-16 code units, is no wall, whatever it mentions. */
const MAX_CHALLENGE = 2_000;
const MAX_NOTICE = 700;
/** Teasers of paid articles are shorter. */
const MAX_TEASER = 1_800;
/** The words of a paywall stand within so much of the end of a teaser. */
const TEASER_END = 500;
const MAX_FORM = 500;
/** Pages with nothing but a login show less. */
const MAX_LOGIN = 400;

// Pages are hostile: every repetition is bounded, so that matching takes linear time.
const FREE_OF_CHARGE_NOT = /isAccessibleForFree["']?\s{0,20}(?::|content\s{0,5}=)\s{0,20}["']?false/i;
const TITLE = /<title\b[^<>]{0,200}>([^<]{0,300})/i;
const HEADING = /<h1\b[^<>]{0,300}>([^<]{0,300})/i;
const PASSWORD = /<input\b[^<>]{0,300}\btype\s{0,5}=\s{0,5}["']?password/i;
const ARTICLE =
  /<article\b|"@type"\s{0,20}:\s{0,20}"(?:News|Blog|Scholarly)?(?:Article|Posting)"|property=["']og:type["'] content=["']article/i;

interface Look {
  readonly host: string;
  readonly status: number;
  readonly html: string;
  readonly shown: string;
  readonly title: string;
  readonly heading: string;
}

/**
 * Why an answer is no page worth reading, or null if it may be one: by status and headers, then by the marks of challenges, consents
 * and missing pages. Pages that only mention these show more text.
 */
export function judgeAnswer(reply: HttpReply): DossierError | null {
  const { host } = new URL(reply.url);
  const { headers, status } = reply;
  const challenged = headers["cf-mitigated"] === "challenge" || /^(?:challenge|captcha)$/.test(headers["x-amzn-waf-action"] ?? "");
  const look = isHtml(reply) ? lookAt(reply) : null;
  if (challenged || (look !== null && isChallenge(look))) return blocked(host, "wants to see a browser, or a human, first");
  if (status < 200 || status >= 300) {
    const code = codeOfStatus(status, "paywalled");
    return new DossierError(code, `${host} answered ${status}.`);
  }
  if (status === 204 || status === 205) return new DossierError("empty", `${host} answered ${status}, without a page.`);
  if (look === null || look.shown.length > MAX_NOTICE) return null;
  if (CONSENT_TITLES.test(look.title) || /^consent\.|^guce\./.test(host)) return blocked(host, "wants a consent first");
  if (isMissing(look)) return new DossierError("not_found", `${host} says that the page is not there.`);
  return null;
}

/** Why a page shows only a part of its text, or null if it may show all; `text` is empty if nothing was extracted. */
export function judgeText(reply: HttpReply, text: string): DossierError | null {
  if (!isHtml(reply) || text.length > MAX_TEASER) return null;
  const { host, html, shown } = lookAt(reply);
  // Little extracted text on a page that shows much is a fault of the extraction, no wall.
  const end = text.slice(-TEASER_END);
  const said = PAYWALL_WORDS.some(
    (words) => words.test(end) || (text.length < MAX_NOTICE && shown.length < MAX_TEASER * 2 && words.test(shown)),
  );
  if (said || FREE_OF_CHARGE_NOT.test(html)) {
    return new DossierError("paywalled", `${host} shows the beginning only to those who do not pay.`);
  }
  const asksForPassword = text.length < MAX_FORM && shown.length < MAX_CHALLENGE && PASSWORD.test(html);
  return asksForPassword || isLoginOnly(shown, html) ? blocked(host, "wants a login first") : null;
}

function isChallenge({ html, shown, title, heading, status }: Look): boolean {
  if (shown.length > MAX_CHALLENGE) return false;
  if (CHALLENGE_MARKS.some((mark) => mark.test(html))) return true;
  if (shown.length > MAX_NOTICE) return false;
  if ([title, heading].some((line) => CHALLENGE_TITLES.some((sign) => sign.test(line)))) return true;
  // A short article may be about such words; a refusal is not.
  const about = status >= 400 ? shown : shown.slice(0, MAX_NOTICE / 2);
  return CHALLENGE_WORDS.some((words) => words.test(about)) && (status >= 400 || !isArticle(html));
}

/** Many logins need a code or a picture, no password. Articles about logins show more text, or declare themselves articles. */
function isLoginOnly(shown: string, html: string): boolean {
  return shown.length < MAX_LOGIN && LOGIN_WORDS.filter((words) => words.test(shown)).length >= 2 && !isArticle(html);
}

function isMissing({ title, heading }: Look): boolean {
  return [title, heading].some((line) => MISSING_TITLES.some((sign) => sign.test(line)));
}

function isArticle(html: string): boolean {
  return ARTICLE.test(html);
}

function isHtml({ headers, body }: HttpReply): boolean {
  const declared = headers["content-type"] ?? "";
  if (/html/i.test(declared)) return true;
  return declared === "" && /^\s*<(?:!doctype|html)/i.test(new TextDecoder().decode(body.subarray(0, 200)));
}

function lookAt({ url, status, headers, body }: HttpReply): Look {
  const charset = /charset\s{0,5}=\s{0,5}"?([\w:.-]+)/i.exec(headers["content-type"] ?? "")?.[1];
  const html = decodeText(body.subarray(0, JUDGED_BYTES), charset);
  const line = (pattern: RegExp) => (pattern.exec(html)?.[1] ?? "").replaceAll(/\s+/g, " ").trim();
  return { host: new URL(url).host, status, html, shown: roughText(html), title: line(TITLE), heading: line(HEADING) };
}

function blocked(host: string, why: string): DossierError {
  return new DossierError("blocked", `${host} ${why}.`);
}

const HIDDEN = /<(script|style|noscript|template|svg|title|iframe)\b/iy;

/** The text that a page shows, roughly, in linear time: enough to tell a wall from an article, not to quote. */
export function roughText(html: string): string {
  const lower = html.toLowerCase();
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    pieces.push(html.slice(at, open === -1 ? html.length : open));
    const close = open === -1 ? -1 : endOfTag(lower, open);
    if (close === -1) break;
    at = close;
  }
  return pieces.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** The end of the tag, or hidden element, that begins at `open`; -1 if it never ends. */
function endOfTag(lower: string, open: number): number {
  if (lower.startsWith("<!--", open)) return after(lower, "-->", open);
  HIDDEN.lastIndex = open;
  const hidden = HIDDEN.exec(lower);
  const start = hidden === null ? open : lower.indexOf(`</${hidden[1]}`, open);
  return start === -1 ? -1 : after(lower, ">", start);
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? -1 : found + end.length;
}
