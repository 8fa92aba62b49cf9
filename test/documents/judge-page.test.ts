import { expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { responseError, wallError } from "../../src/documents/web-reader.ts";
import type { HttpReply } from "../../src/domain/ports/sources.ts";

interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly title?: string;
  readonly head?: string;
  readonly body?: string;
  readonly url?: string;
}

function reply({ status = 200, headers = {}, title = "", head = "", body = "", url = "https://news.example/a" }: Page): HttpReply {
  const html = `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
  return { url, status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body: new TextEncoder().encode(html) };
}

/** The code for a page, checked in the same order as a reader of the service does. */
async function verdict(page: Page): Promise<string | null> {
  const answer = reply(page);
  const error = responseError(answer);
  if (error !== null) return error.code;
  const extracted = createExtractor().extract({ bytes: answer.body, mediaType: "text/html", url: answer.url });
  const text = await extracted.then(
    (document) => document.text,
    () => "",
  );
  return wallError(answer, text)?.code ?? null;
}

const paragraphs = (
  count: number,
  text = "The harbour of Aldermoor was deepened in the spring, and the ferries came back to it one by one.",
) => Array.from({ length: count }, (_, i) => `<p>${text} It was day ${i}.</p>`).join("");
const LONG = paragraphs(30);

const CHALLENGES: readonly (readonly [string, Page])[] = [
  [
    "Cloudflare's waiting page",
    {
      title: "Just a moment...",
      body: "<script>window._cf_chl_opt={cvId:'3'}</script><noscript>Enable JavaScript and cookies to continue</noscript>",
    },
  ],
  [
    "Cloudflare's orchestration",
    { title: "news.example", body: '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8"></script>' },
  ],
  [
    "PerimeterX",
    { title: "Access to this page has been denied", body: '<div id="px-captcha"></div><p>Press &amp; Hold to confirm you are a human</p>' },
  ],
  [
    "DataDome",
    {
      title: "news.example",
      body: "<p id='cmsg'>Please enable JS and disable any ad blocker</p><script src='https://ct.captcha-delivery.com/c.js'></script>",
    },
  ],
  [
    "Akamai",
    {
      title: "Access Denied",
      body: "<h1>Access Denied</h1><p>Reference&#32;&#35;18&#46;7ca</p><p>https://errors.edgesuite.net/18.7ca</p>",
    },
  ],
  [
    "Imperva",
    {
      title: "",
      body: '<iframe src="/_Incapsula_Resource?CWUDNSAI=9&incident_id=1">Request unsuccessful. Incapsula incident ID: 1</iframe>',
    },
  ],
  [
    "AWS WAF",
    { title: "Human Verification", body: "<script>window.gokuProps={}</script><script>AwsWafIntegration.saveReferrer();</script>" },
  ],
  [
    "Anubis",
    {
      title: "Making sure you&#39;re not a bot!",
      head: '<script id="anubis_version" type="application/json">"1.2"</script>',
      body: "<p>Loading...</p>",
    },
  ],
  ["Sucuri", { title: "Sucuri WebSite Firewall - Access Denied", body: "<p>Block reason</p>" }],
  ["百度", { title: "百度安全验证", body: '<script src="https://wappass.baidu.com/static/captcha/tuxing.js"></script>' }],
];

it.each(CHALLENGES.flatMap(([name, page]) => [200, 403, 503].map((status) => [name, status, page] as const)))(
  "recognizes %s at status %d",
  async (_, status, page) => {
    expect(await verdict({ ...page, status })).toBe("blocked");
  },
);

it("trusts the headers that bot protections send", async () => {
  expect(await verdict({ headers: { "cf-mitigated": "challenge" }, body: LONG })).toBe("blocked");
  expect(await verdict({ status: 202, headers: { "x-amzn-waf-action": "challenge" } })).toBe("blocked");
  expect(await verdict({ headers: { server: "cloudflare", "x-datadome": "protected" }, body: LONG })).toBeNull();
});

it.each([
  ["a long page with the script of a challenge", { title: "Harbour", body: `${LONG}<script>window._cf_chl_opt={}</script>` }],
  [
    "a page behind Cloudflare with its beacon",
    { title: "Harbour", body: `${paragraphs(2)}<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>` },
  ],
  ["a login form beside an article", { title: "Harbour", body: `<form><input type="password"></form>${LONG}` }],
  ["a short page with a password field and a text", { title: "Harbour", body: `<form><input type="password"></form>${paragraphs(8)}` }],
  ["an article about access being denied", { title: "Access denied to the harbour for a third day", body: paragraphs(5) }],
  [
    "an article that is not free and shown whole",
    { title: "Harbour", head: '<script type="application/ld+json">{"isAccessibleForFree": false}</script>', body: LONG },
  ],
  [
    "a short article that is free",
    { title: "Harbour", head: '<script type="application/ld+json">{"isAccessibleForFree": true}</script>', body: paragraphs(3) },
  ],
  ["登录的新闻", { title: "短讯", body: "<p>微信今天起支持扫码登录，读者不必再记住密码，奥尔德穆尔港的居民表示欢迎。</p>" }],
])("takes %s at face value", async (_, page) => {
  expect(await verdict(page)).toBeNull();
});

const TEASER = paragraphs(4);

it.each([
  ["402", { status: 402, body: LONG }],
  [
    "schema.org and a teaser",
    {
      head: '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":"False","hasPart":{"cssSelector":".paywall"}}</script>',
      body: TEASER,
    },
  ],
  ["microdata and a teaser", { head: '<meta itemprop="isAccessibleForFree" content="false">', body: TEASER }],
])("recognizes a paywall by %s", async (_, page) => {
  expect(await verdict(page)).toBe("paywalled");
});

it.each([
  ["404", { status: 404, body: "Not here" }, "not_found"],
  ["410", { status: 410, body: "Gone" }, "not_found"],
  ["a login", { title: "Log in", body: '<form><p>Log in to the Herald</p><input name="u"><input type="password"></form>' }, "blocked"],
  [
    "a consent",
    { title: "Before you continue to YouTube", url: "https://consent.youtube.com/m", body: "<p>We use cookies.</p>" },
    "blocked",
  ],
  ["401", { status: 401 }, "blocked"],
  ["429", { status: 429, body: "Slow down" }, "rate_limited"],
  ["451", { status: 451 }, "blocked"],
  ["500", { status: 500, body: "Oops" }, "unreachable"],
  ["503 without a guard", { status: 503, body: "Down for maintenance" }, "unreachable"],
  ["204", { status: 204 }, "empty"],
  ["a redirect to nowhere", { status: 302 }, "unreadable"],
])("reports %s", async (_, page: Page, code) => {
  expect(await verdict(page)).toBe(code);
});

it("judges no text file and no PDF", () => {
  const body = new TextEncoder().encode("window._cf_chl_opt");
  for (const type of ["text/plain", "application/pdf"]) {
    const answer = { url: "https://news.example/", status: 200, headers: { "content-type": type }, body };
    expect([responseError(answer), wallError(answer, "")], type).toEqual([null, null]);
  }
});
