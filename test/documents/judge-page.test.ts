import { expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { partialTextError, responseError, roughText } from "../../src/documents/web-reader.ts";
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
  return partialTextError(answer, text)?.code ?? null;
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
    "Cloudflare's block",
    {
      title: "Attention Required! | Cloudflare",
      body: "<h1>Sorry, you have been blocked</h1><p>You are unable to access news.example</p>",
    },
  ],
  [
    "hCaptcha before the page",
    { title: "news.example", body: '<p>Please verify that you are human to go on.</p><div class="h-captcha"></div>' },
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
      body: '<h1>Access Denied</h1>You don\'t have permission to access "http&#58;&#47;&#47;news&#46;example" on this server.<p>Reference&#32;&#35;18&#46;7ca</p>',
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
  ["DDoS-Guard", { title: "DDoS-Guard", body: "<h1>Checking your browser before accessing news.example</h1>" }],
  [
    "Google",
    { title: "https://www.google.com/search", body: "<p>Our systems have detected unusual traffic from your computer network.</p>" },
  ],
  ["Sucuri", { title: "Sucuri WebSite Firewall - Access Denied", body: "<p>Block reason</p>" }],
  ["Distil", { title: "Pardon Our Interruption", body: "<p>Something about your browser made us think you were a bot.</p>" }],
  ["Vercel", { title: "Vercel Security Checkpoint", body: "<p>We're verifying your browser</p>" }],
  ["百度", { title: "百度安全验证", body: "<p>网络不给力，请稍后重试</p>" }],
  ["访问过于频繁", { title: "提示", body: "<p>您的访问过于频繁，请稍后再试。</p>" }],
  ["滑块", { title: "访问验证", body: "<p>请拖动滑块完成验证</p>" }],
  ["微信", { title: "", body: "<p>当前环境异常，完成验证后即可继续访问。</p><a>去验证</a>" }],
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
  ["an article about the waiting page", { title: "Just a moment: how Cloudflare tells people from programs", body: LONG }],
  [
    "a short note about unusual traffic",
    {
      title: "Traffic",
      body: `<article><p>Aldermoor saw unusual traffic from your network operators' vans today.</p></article>${paragraphs(3)}`,
    },
  ],
  [
    "a short article that quotes such a page",
    {
      title: "What the message means",
      head: '<meta property="og:type" content="article">',
      body: "<article><p>The page said: unusual traffic from your computer network. It went away after an hour, and nobody knows why.</p></article>",
    },
  ],
  ["an article that quotes the words of a captcha", { title: "On captchas", body: `<p>“Verify you are human”, it says.</p>${LONG}` }],
  [
    "a page behind Cloudflare with its beacon",
    { title: "Harbour", body: `${paragraphs(2)}<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>` },
  ],
  [
    "a form with a captcha below an article",
    { title: "Harbour", body: `${LONG}<form><div class="g-recaptcha"></div>Please verify you are human</form>` },
  ],
  ["a login form beside an article", { title: "Harbour", body: `<form><input type="password"></form>${LONG}` }],
  ["a short page with a password field and a text", { title: "Harbour", body: `<form><input type="password"></form>${paragraphs(8)}` }],
  ["an article about access being denied", { title: "Access denied to the harbour for a third day", body: paragraphs(5) }],
  ["an article about error 404", { title: "404 Media looks back on its first year", body: paragraphs(2) }],
  ["an article about pages that are not found", { title: "Why a page not found costs readers", body: LONG }],
  [
    "一篇关于安全验证的文章",
    {
      title: "网站为什么需要安全验证？专家解释",
      body: paragraphs(20, "安全验证可以阻止自动程序频繁访问网站，也让读者多等几秒钟，专家认为应当减少。"),
    },
  ],
  [
    "一篇短讯",
    { title: "港口加强安全检查", body: "<article><p>奥尔德穆尔港今天加强了检查，操作过于频繁的吊车暂停使用，预计明天恢复。</p></article>" },
  ],
  [
    "an article that asks to subscribe at its end",
    { title: "Harbour", body: `${LONG}<p>Subscribe to continue reading articles like this.</p>` },
  ],
  [
    "an article that is not free and shown whole",
    { title: "Harbour", head: '<script type="application/ld+json">{"isAccessibleForFree": false}</script>', body: LONG },
  ],
  [
    "a short article that is free",
    { title: "Harbour", head: '<script type="application/ld+json">{"isAccessibleForFree": true}</script>', body: paragraphs(3) },
  ],
  [
    "a short note about a subscription",
    {
      title: "The Herald",
      body: "<p>The Aldermoor Herald asks its readers to subscribe, and half of them did within the first year. It has four people.</p>",
    },
  ],
  ["登录的新闻", { title: "短讯", body: "<p>微信今天起支持扫码登录，读者不必再记住密码，奥尔德穆尔港的居民表示欢迎。</p>" }],
  ["订阅的新闻", { title: "报纸", body: paragraphs(3, "读者可以订阅这份报纸，价格为每年一百元，订阅人数今年增加了一倍。") }],
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
  ["words at the end", { body: `<article>${TEASER}<p>Subscribe to continue reading.</p></article>` }],
  ["words for members", { body: `<article>${TEASER}<p>This article is for subscribers only.</p></article>` }],
  ["words to sign up", { body: `<article>${TEASER}<p>Sign up for a free account to continue reading this story.</p></article>` }],
  ["订阅后可阅读全文", { body: `<article>${paragraphs(3, "港口在春天加深，渡船一艘接一艘地回来。")}<p>订阅后可阅读全文</p></article>` }],
  [
    "本文为付费内容",
    { body: `<article>${paragraphs(3, "港口在春天加深，渡船一艘接一艘地回来。")}<p>本文为付费内容，购买后继续阅读。</p></article>` },
  ],
])("recognizes a paywall by %s", async (_, page) => {
  expect(await verdict(page)).toBe("paywalled");
});

it.each([
  ["404", { status: 404, body: "Not here" }, "not_found"],
  ["410", { status: 410, body: "Gone" }, "not_found"],
  ["a page that says 404 at 200", { title: "404 Not Found", body: "<h1>Sorry</h1>" }, "not_found"],
  ["a page that says so in its heading", { title: "The Herald", body: "<h1>Page not found</h1><p>Try the search.</p>" }, "not_found"],
  ["页面不存在", { title: "提示信息", body: "<h1>抱歉，您访问的页面不存在</h1>" }, "not_found"],
  ["a login", { title: "Log in", body: '<form><p>Log in to the Herald</p><input name="u"><input type="password"></form>' }, "blocked"],
  [
    "一个没有密码框的登录页",
    { title: "知乎", body: "<h1>登录知乎，您可以享受更多优质服务</h1><p>验证码登录 密码登录 获取短信验证码 其他方式登录</p>" },
    "blocked",
  ],
  [
    "a login without a password",
    { title: "Forum", body: "<p>Please log in to see this topic.</p><button>Continue with Google</button><a>Create an account</a>" },
    "blocked",
  ],
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

it("judges pages in their own charset", () => {
  // 访问过于频繁，请稍后再试 in GBK
  const bytes = Buffer.from("b7c3cecab9fdd3dac6b5b7b1a3acc7ebc9d4baf3d4d9cad4", "hex");
  const answer = { url: "https://news.example/", status: 200, headers: { "content-type": "text/html; charset=gbk" }, body: bytes };
  expect(responseError(answer)?.code).toBe("blocked");
});

it("judges no text file and no PDF by the wording of block pages", () => {
  const body = new TextEncoder().encode("unusual traffic from your computer network");
  for (const type of ["text/plain", "application/pdf"]) {
    const answer = { url: "https://news.example/", status: 200, headers: { "content-type": type }, body };
    expect([responseError(answer), partialTextError(answer, "Subscribe to continue reading")]).toEqual([null, null]);
  }
});

// With work that grows with the square of the page, this would not end within the limit of a test.
it("judges a page that is built to be slow", () => {
  for (const piece of [
    "<",
    "<script>",
    "<!--",
    "<title",
    "<h1 ",
    "<input ",
    "</script",
    "subscribe ",
    "_Incapsula_Resource?",
    "<iframe>a</iframe",
  ]) {
    const body = new TextEncoder().encode(piece.repeat(3_000_000 / piece.length));
    const answer = { url: "https://news.example/", status: 200, headers: { "content-type": "text/html" }, body };
    expect([responseError(answer), partialTextError(answer, "")], piece).toHaveLength(2);
  }
});

it("shows the visible text", () => {
  expect(roughText("<title>t</title><p>one<b>two</b><script>if (a < b) three()</script><!-- four > --> five <SCRIPT>six")).toBe(
    "one two five",
  );
  // A letter whose lowercase form is longer.
  expect(roughText("<p>İİİ</p><SCRIPT>two()</SCRIPT>three")).toBe("İİİ three");
});
