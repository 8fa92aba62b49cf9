import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, numbers } from "./json-answers.ts";

const block = (href: string, title: string, kind = "web-result") => `
  <div class="result results_links results_links_deep ${kind} ">
    <div class="links_main links_deep result__body">
      <h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
      <a class="result__url" href="${href}">  example.org  </a>
      <a class="result__snippet" href="${href}">The <b>lamp</b> of Aldermoor&#39;s lighthouse &amp; its anomaly.js</a>
    </div>
  </div>`;
const away = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=d43f55`;
const result = (n: number) => block(away(`https://example.org/lighthouse/${n}?a=1&b=灯塔`), `Lighthouse &lt;b&gt; ${n}`);
const page = (
  blocks: readonly string[],
) => `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>q at DuckDuckGo</title></head>
<body class="body--html"><div class="serp__results"><div id="links" class="results">${blocks.join("")}</div></div></body>
</html>
`;
const found =
  (total: number): Answers =>
  () =>
    page(numbers(Math.min(total, 10)).map(result));
const none = '<div class="result results_links results_links_deep result--no-result"><div class="no-results">No results.</div></div>';
const challenge = `<!DOCTYPE html><html><body><center id="lite_wrapper">
<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=botnet" method="POST"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>
</center></body></html>`;

export const CONTRACT: SearchSourceContract = {
  type: "text/html; charset=UTF-8",
  found,
  most: 10,
  first: {
    kind: "web",
    title: "Lighthouse 1",
    url: "https://example.org/lighthouse/1?a=1&b=灯塔",
    publishedAt: null,
    snippet: "The lamp of Aldermoor's lighthouse & its anomaly.js",
  },
  nothing: () => page([none]),
  oneBroken: () => page([result(1), block("//duckduckgo.com/l/?rut=1", "No target"), result(3)]),
  otherShape: () => page(['<article class="card">Lighthouse</article>']),
  cut: half(found(3)),
  queryOf: ({ body }) => new URLSearchParams(body).get("q"),
  odd: {
    "leaves out advertisements": {
      answers: () =>
        page([
          block("//duckduckgo.com/y.js?ad_domain=shop.example&ad_provider=x", "Buy a lighthouse", "result--ad"),
          block("https://duckduckgo.com/y.js?ad_domain=shop.example", "Buy two"),
          result(1),
        ]),
      titles: ["Lighthouse 1"],
    },
    "keeps a result that leads to a script, for the download to refuse": {
      answers: () => page([block(away("javascript:alert(1)"), "Script"), block("https://example.org/direct", "Direct")]),
      titles: ["Script", "Direct"],
    },
    "fails with blocked when it shows its CAPTCHA as an ordinary page": {
      answers: () => challenge,
      failure: "blocked",
      says: /CAPTCHA/,
    },
    "fails with blocked when it shows its CAPTCHA with status 202": {
      answers: () => ({ status: 202, text: challenge }),
      failure: "blocked",
    },
    "fails with unreadable when results have another form": {
      answers: () => page(['<div class="result"><a class="headline" href="https://example.org">Lighthouse</a></div>']),
      failure: "unreadable",
    },
  },
};
