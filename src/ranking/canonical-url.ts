import { getDomain } from "tldts";

// The library normalize-url is not used: it treats mobile hosts, AMP copies and app routes wrongly, and takes three times as long.

const HOST_PREFIX = /^(?:www|m|mobile|amp|wap)\.(?=[^.]+\.)/;
const DEFAULT_PAGE = /\/(?:index|default)\.(?:[sx]?html?|php\d?|aspx?|jsp)$/i;
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid)=[^;/]*|\/\(S\([^)/]*\)\)(?=\/|$)/gi;
const AMP_CACHES = [
  /^https?:\/\/(?:www\.)?google\.[a-z.]+\/amp\/(s\/)?(.+)$/i,
  /^https?:\/\/[^/]+\.cdn\.ampproject\.org\/[cv]\/(s\/)?(.+)$/i,
];

/** Returns a key, not a URL: it is equal for all spellings of an http(s) URL and lacks the scheme and tracking parameters. */
export function canonicalUrl(url: string): string {
  const parsed = parseAddress(url);
  if (parsed === null) return url.trim();
  if (!isWeb(parsed)) return parsed.href.replace(/#.*$/, "");
  const port = parsed.port === "" ? "" : `:${parsed.port}`;
  const host = hostOf(parsed);
  const route = /^#!?\/|^#!/.test(parsed.hash) ? safeDecode(parsed.hash).replace(/^#!?\/?$|\/+$/, "") : "";
  return `${host}${port}${uniformPath(parsed.pathname)}${contentParameters(host, parsed.searchParams)}${route}`;
}

/** Returns `example.org` for `https://www.example.org/a`, the protocol of a URL that is not http(s), and `""` for text that is no URL. */
export function siteOf(url: string): string {
  const parsed = parseAddress(url);
  if (parsed === null) return "";
  return isWeb(parsed) ? hostOf(parsed) : parsed.protocol;
}

/** Returns the registrable domain, `example.co.uk` for `https://news.example.co.uk/a`, or `siteOf` where there is none. Users of github.io differ. */
export function publisherSiteOf(url: string): string {
  const site = siteOf(url);
  return getDomain(site, { allowPrivateDomains: true }) ?? site;
}

/** Parses a URL. For a copy in Google's AMP cache, returns the URL of the original page. Returns null if the text is no URL. */
export function parseAddress(url: string): URL | null {
  const trimmed = url.trim();
  const whole = trimmed.startsWith("//") ? `https:${trimmed}` : trimmed;
  for (const cache of AMP_CACHES) {
    const inner = URL.parse(`https://${cache.exec(whole)?.[2] ?? ""}`);
    if (inner?.hostname.includes(".")) return inner;
  }
  return URL.parse(whole);
}

/** Returns `example.org` for `www.example.org` and `en.wikipedia.org` for `en.m.wikipedia.org`. */
export function hostOf({ hostname }: URL): string {
  let host = hostname.replace(/\.+$/, "");
  while (HOST_PREFIX.test(host)) host = host.replace(HOST_PREFIX, "");
  return host.replace(/^([a-z-]+)\.m\.(wik[a-z]+\.org)$/, "$1.$2");
}

export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

function uniformPath(path: string): string {
  const segments = path
    .replaceAll(PATH_SESSION, "")
    .split("/")
    .filter((segment) => segment !== "");
  const uniform = segments.map((segment) => `/${uniformEscapes(segment)}`).join("");
  const whole = uniform.replace(/\/amp$/i, "");
  return (isArticle(whole) ? whole : uniform).replace(DEFAULT_PAGE, "");
}

/** `/amp` marks an AMP copy only at the end of an article's path. `/products/amp` may be a page about amplifiers. */
function isArticle(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.split("-").length > 3 || /\.html?$|\d{5}$/i.test(name);
}

function uniformEscapes(segment: string): string {
  const decoded = safeDecode(segment);
  return decoded === segment && segment.includes("%") ? segment : encodeURIComponent(decoded.normalize("NFC").toWellFormed());
}

const TRACKING = new RegExp(
  `^(?:${[
    "utm_.*|pk_.*|piwik_.*|mtm_.*|matomo_.*|hsa_.*|guce_.*|at_(?:medium|campaign|custom.*|link.*|ptr.*|bbc.*)",
    "gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ysclid|twclid|ttclid|li_fat_id|igsh|igshid|_ga|_gl|__twitter_impression",
    "mc_[ce]id|_hsenc|_hsmi|hsctatracking|mkt_tok|vero_id|oly_(?:enc|anon)_id|s_cid|icid|ncid|ocid|cmpid|smid|soc_(?:src|trk)|guccounter",
    "ref_(?:src|url)|spm|scm|from_source|vd_source|share_(?:source|medium|plat|tag|token|session_id|from)|isappinstalled",
    "phpsessid|jsessionid|aspsessionid.*|cfid|cftoken",
  ].join("|")})$`,
  "i",
);

const LONG_TOKEN = /^(?=.*\d)[\da-z-]{16,}$/i;

const TRACKING_BY_VALUE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    // `ref=newsletter` is tracking, but `ref=123` may be the id of an article.
    ref: /^[a-z_.-]+$/i,
    from: /^(?:timeline|singlemessage|groupmessage|share|weibo|wechat|qq)$/i,
    sid: LONG_TOKEN,
    sessionid: LONG_TOKEN,
    session_id: LONG_TOKEN,
    amp: /^(?:1|true|)$/i,
    outputtype: /^amp$/i,
  }),
);

const BY_SITE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    "mp.weixin.qq.com":
      /^(?:chksm|scene|subscene|sessionid|clicktime|enterid|ascene|devicetype|version|nettype|lang|pass_ticket|exportkey)$/i,
    "youtube.com": /^(?:si|feature|pp|ab_channel|t|start|app)$/i,
  }),
);

function contentParameters(host: string, parameters: URLSearchParams): string {
  const kept = new URLSearchParams([...parameters].filter(([name, value]) => !isNoise(host, name, value)));
  kept.sort();
  return kept.size > 0 ? `?${kept}` : "";
}

function isNoise(host: string, name: string, value: string): boolean {
  if (TRACKING.test(name) || BY_SITE.get(host)?.test(name)) return true;
  // On GitHub, GitLab and the like, `ref` names a branch.
  if (name === "ref" && host.includes("git")) return false;
  return TRACKING_BY_VALUE.get(name.toLowerCase())?.test(value) ?? false;
}
