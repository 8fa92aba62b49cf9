/** Parameters that say where a reader came from or who it is, not what is read. */
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

/** Names that mean something else elsewhere count as tracking by their value only. */
const TRACKING_BY_VALUE: Readonly<Record<string, RegExp>> = {
  // A word; a number may be the reference of an article.
  ref: /^[a-z_.-]+$/i,
  from: /^(?:timeline|singlemessage|groupmessage|share|weibo|wechat|qq)$/i,
  // A short one may be the id of a story, or of the session of a conference.
  sid: LONG_TOKEN,
  sessionid: LONG_TOKEN,
  session_id: LONG_TOKEN,
  amp: /^(?:1|true|)$/i,
  outputtype: /^amp$/i,
};

/** Parameters of one site that do not change what is read there. */
const BY_SITE: Readonly<Record<string, RegExp>> = {
  "mp.weixin.qq.com":
    /^(?:chksm|scene|subscene|sessionid|clicktime|enterid|ascene|devicetype|version|nettype|lang|pass_ticket|exportkey)$/i,
  "youtube.com": /^(?:si|feature|pp|ab_channel|t|start|app)$/i,
};

/** The parameters that tell contents apart, in the order of their names, with a leading `?`; empty where there are none. */
export function contentParameters(host: string, parameters: URLSearchParams): string {
  const kept = [...parameters].filter(([name, value]) => !isNoise(host, name, value));
  const sorted = kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.length > 0 ? `?${new URLSearchParams(sorted)}` : "";
}

function isNoise(host: string, name: string, value: string): boolean {
  if (TRACKING.test(name) || BY_SITE[host]?.test(name)) return true;
  // On a code host it names a branch.
  if (name === "ref" && host.includes("git")) return false;
  return TRACKING_BY_VALUE[name.toLowerCase()]?.test(value) ?? false;
}
