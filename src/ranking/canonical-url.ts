// The library normalize-url is not used: it treats mobile hosts, AMP copies and app routes wrongly, and takes three times as long.

/** Host prefixes of the same site. The rest of the host must still contain a dot. */
const DOOR = /^(?:www|m|mobile|amp|wap)\.(?=[^.]+\.)/;
const DEFAULT_PAGE = /\/(?:index|default)\.(?:[sx]?html?|php\d?|aspx?|jsp)$/i;
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid)=[^;/]*|\/\(S\([^)/]*\)\)(?=\/|$)/gi;
const AMP_CACHES = [
  /^https?:\/\/(?:www\.)?google\.[a-z.]+\/amp\/(s\/)?(.+)$/i,
  /^https?:\/\/[^/]+\.cdn\.ampproject\.org\/[cv]\/(s\/)?(.+)$/i,
];

/**
 * One key for all spellings of an address, for comparison only. Has no scheme, user, default port, `www.` or mobile prefix, tracking and
 * session parameters, default page, closing slash, or fragment except application routes (`#!…`, `#/…`); escapes and order of parameters
 * are uniform; paths keep their case. Other schemes lose only their fragment; text that is no URL stays.
 */
export function canonicalUrl(url: string): string {
  const parsed = parseAddress(url);
  if (parsed === null) return url.trim();
  if (!isWeb(parsed)) return parsed.href.replace(/#.*$/, "");
  const port = parsed.port === "" ? "" : `:${parsed.port}`;
  const host = hostOf(parsed);
  const route = /^#!?\/|^#!/.test(parsed.hash) ? safeDecode(parsed.hash).replace(/^#!?\/?$|\/+$/, "") : "";
  return `${host}${port}${uniformPath(parsed.pathname)}${contentParameters(host, parsed.searchParams)}${route}`;
}

/** The host of an address without prefixes such as `www.`; the scheme if there is no host. */
export function siteOf(url: string): string {
  const parsed = parseAddress(url);
  if (parsed === null) return "";
  return isWeb(parsed) ? hostOf(parsed) : parsed.protocol;
}

/** The address as a URL, for an AMP cache the cached one; null if it is none. */
export function parseAddress(url: string): URL | null {
  const trimmed = url.trim();
  const whole = trimmed.startsWith("//") ? `https:${trimmed}` : trimmed;
  for (const cache of AMP_CACHES) {
    const inner = URL.parse(`https://${cache.exec(whole)?.[2] ?? ""}`);
    if (inner?.hostname.includes(".")) return inner;
  }
  return URL.parse(whole);
}

/** The host in lower case and punycode, without closing dots and mobile prefixes; `en.m.wikipedia.org` is `en.wikipedia.org`. */
export function hostOf({ hostname }: URL): string {
  let host = hostname.replace(/\.+$/, "");
  while (DOOR.test(host)) host = host.replace(DOOR, "");
  return host.replace(/^([a-z-]+)\.m\.(wik[a-z]+\.org)$/, "$1.$2");
}

/** Resolves percent escapes; returns the text unchanged if one is broken. */
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

/** Whether `/amp` behind this path is the AMP copy of an article; behind a short name it may be a page about amplifiers. */
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

/** Names with several meanings: tracking only with these values. */
const TRACKING_BY_VALUE: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    // A number may be the reference of an article.
    ref: /^[a-z_.-]+$/i,
    from: /^(?:timeline|singlemessage|groupmessage|share|weibo|wechat|qq)$/i,
    // A short one may be the id of a story, or of the session of a conference.
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
  // On a code host it names a branch.
  if (name === "ref" && host.includes("git")) return false;
  return TRACKING_BY_VALUE.get(name.toLowerCase())?.test(value) ?? false;
}
