import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { blockLines, expectSoundBlocks } from "./sound-blocks.ts";

const extractor = createExtractor();

const ONE = "The salt lake above the village has been measured every spring since the school was built beside it in 1931.";
const TWO = "In some years the water stands a hand lower than the mark on the old pier, and the ferry is left lying in the mud.";
const THREE = "Nobody has yet found out where the water goes, although three expeditions were paid for by the province.";
const TEXT = [ONE, TWO, THREE];

async function page(body: string, head = "<title>Salt</title>"): Promise<ExtractedDocument> {
  const html = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
  const document = await extractor.extract({
    bytes: new TextEncoder().encode(html),
    mediaType: "text/html",
    url: "https://example.org/salt",
  });
  expectSoundBlocks(document);
  return document;
}

const article = async (body: string): Promise<string[]> => blockLines(await page(`<article>${body}</article>`));
const paragraphs = (...texts: string[]): string[] => texts.map((text) => `paragraph: ${text}`);
const p = (text: string): string => `<p>${text}</p>`;

describe("an article", () => {
  it.each([
    ["buttons to share it", `<div class="ArticleBody__shareBar"><p>Tell your friends about the lake</p></div>`],
    ["links to related articles", `<div class="related-posts"><h3>Story timeline</h3><p>Where the ferry was built</p></div>`],
    ["a caption", `<div class="wp-caption"><img src="a.jpg"><p class="wp-caption-text">The pier in April</p></div>`],
    ["a biography", `<section class="author-bio"><p>Ada Lindqvist writes about water.</p></section>`],
    [
      "a gallery",
      `<ul class="gallery"><li><img src="a.jpg"><p>The pier in April</p></li><li><img src="b.jpg"><p>The pier in May</p></li></ul>`,
    ],
    ["labels for screen readers", `<p class="sr-only">Opens in a new window</p>`],
  ])("is read without %s, recognized by their names", async (_, clutter) => {
    expect(await article(p(ONE) + clutter + p(TWO) + p(THREE))).toEqual(paragraphs(...TEXT));
  });

  it.each([
    ["a link to another article", `<p><a href="/b">THE FERRY THAT NEVER SAILED</a></p>`],
    ["a link that is announced", `<p>Read more: <a href="/b">the ferry that never sailed</a></p>`],
    ["the same in Chinese", `<p>延伸阅读：<a href="/b">从未起航的渡轮</a></p>`],
    ["a list of links", `<ul><li><a href="/b">The ferry</a></li><li><a href="/c">The pier</a></li></ul>`],
    ["a request to subscribe", `<p>Sign up for our newsletter and never miss a story about lakes.</p>`],
    ["a label of an advertisement", `<p>Advertisement</p>`],
  ])("is read without %s between its paragraphs", async (_, clutter) => {
    expect(await article(p(ONE) + clutter + p(TWO) + p(THREE))).toEqual(paragraphs(...TEXT));
  });

  it("is read without the date line that repeats its metadata", async () => {
    const lead = "<h1>Salt</h1><div>Published 11:26 pm EST, Tuesday, November 19, 2019</div>";
    const document = await page(`<article>${lead}${TEXT.map(p).join("")}</article>`);
    expect(document.publishedAt).toBe("2019-11-19");
    expect(blockLines(document)).toEqual(paragraphs(...TEXT));
  });

  const META = `<title>Salt</title><meta property="article:published_time" content="2019-11-19T10:00:00Z">`;

  it.each([
    ["Date of survey: 2019-11-19"],
    ["Commissioned November 19, 2019"],
    ["HALDEN, 19 November 2019"],
    ["Sealed: 2019-11-19 08:15:00", "Opened: 2019-11-19 09:20:00"],
    ["Next survey", "November 19, 2019"],
    ["启用日期：2019年11月19日"],
    ["下次测量", "2019年11月19日"],
  ])("keeps a fact above its text that has the date of its metadata: %s", async (...facts) => {
    expect(blockLines(await page(`<article><h1>Salt</h1>${facts.map(p).join("")}${TEXT.map(p).join("")}</article>`, META))).toEqual(
      paragraphs(...facts, ...TEXT),
    );
  });

  it.each(["November 19, 2019", "Tuesday, 19 November 2019, 10:00 UTC", "By Ada Lindqvist | 2019-11-19", "更新时间：2019年11月19日 10:00"])(
    "is read without a bare line of the same date: %s",
    async (line) => {
      expect(blockLines(await page(`<article><h1>Salt</h1>${p(line)}${TEXT.map(p).join("")}</article>`, META))).toEqual(
        paragraphs(...TEXT),
      );
    },
  );

  it.each(["What's next?", "Comments", "推荐阅读"])("keeps prose under %s, also before a link", async (heading) => {
    const texts = heading === "推荐阅读" ? ["校长建议每个学生都读完湖水的记录，因为其中写着村子一百年的历史。", TWO] : [TWO, THREE];
    const part = `<h2>${heading}</h2>${texts.map(p).join("")}<p>See <a href="/b">the records</a></p>`;
    const lines = await article(`${TEXT.map(p).join("")}${part}`);
    expect(lines.slice(3, 6)).toEqual([`heading2: ${heading}`, ...paragraphs(...texts)]);
  });

  it.each([
    `id="social-insurance"`,
    `id="comments-of-the-teachers"`,
    `class="gallery-prices"`,
    `id="water-credits"`,
    `class="SponsorsOfThePier"`,
  ])("keeps an element whose name has a word of clutter and a subject: %s", async (name) => {
    expect(
      blockLines(await page(`<main>${TEXT.map(p).join("")}<section ${name}><p>${TWO.replace("mud", "reeds")}</p></section></main>`)),
    ).toEqual(paragraphs(...TEXT, TWO.replace("mud", "reeds")));
  });

  it.each(["What to read next", "You may also like", "接下来阅读"])("is read without the links and summaries under %s", async (heading) => {
    const summary = (name: string) => p(`The ${name} was built in 1931 by the school, which stood beside it, and nobody knew why.`);
    const card = (name: string) => `<h3><a href="/${name}">A story about the ${name}</a></h3>${summary(name)}`;
    const cards = `<h2>${heading}</h2>${card("pier")}${card("ferry")}`;
    expect(await article(`${TEXT.map(p).join("")}${cards}<h2>Sources</h2>${p(TWO)}`)).toEqual([
      ...paragraphs(...TEXT),
      "heading2: Sources",
      ...paragraphs(TWO),
    ]);
  });

  it.each(["Keep reading", "延伸阅读"])("is read without a box of one link and its summary under %s", async (heading) => {
    const teaser = `<article><h4><a href="/b">The pier of the village</a></h4>${p(TWO.replace("mud", "reeds"))}</article>`;
    const box = `<div><div><strong>${heading}</strong></div>${teaser}</div>`;
    expect(await article(p(ONE) + box + p(TWO) + p(THREE))).toEqual(paragraphs(...TEXT));
  });

  it("is read without a label whose links are left out, but with one of a text", async () => {
    const labels = `<p>The water in short:</p>${p(TWO)}<p>相关报道：</p><p><a href="/b">从未起航的渡轮</a></p>`;
    expect(await article(p(ONE) + labels + p(THREE))).toEqual(paragraphs(ONE, "The water in short:", TWO, THREE));
  });

  it.each(["广告主应当对广告内容的真实性负责，不得欺骗消费者。", "延伸阅读的书目由各校自行选定，每学期公布一次，供家长查阅。"])(
    "keeps a Chinese sentence that only begins like a label: %s",
    async (sentence) => {
      expect(await article([sentence, ...TEXT].map(p).join(""))).toEqual(paragraphs(sentence, ...TEXT));
    },
  );

  it("continues after a box of links between its paragraphs", async () => {
    const box = `<h3>Related</h3><p><a href="/b">The ferry that never sailed</a></p>`;
    expect(await article(p(ONE) + box + p(TWO) + p(THREE))).toEqual(paragraphs(...TEXT));
  });

  it("keeps dates and short lines between its paragraphs", async () => {
    const texts = [ONE, "November 19, 2019", TWO, "Nothing.", THREE];
    expect(await article(texts.map(p).join(""))).toEqual(paragraphs(...texts));
  });

  it("keeps links that belong to it: in sentences, written out, in a list that the text announces", async () => {
    const links = `<p>The measurements of all these years are kept here, for whoever asks:</p><ul><li><a href="/b">Spring</a></li><li><a href="/c">Autumn</a></li></ul>`;
    const lines = await article(
      `${p(ONE)}<p>Ask <a href="mailto:a@example.org">a@example.org</a> for more.</p>${links}${p(TWO)}${p(THREE)}`,
    );
    expect(lines).toEqual([
      ...paragraphs(ONE, "Ask a@example.org for more.", "The measurements of all these years are kept here, for whoever asks:"),
      "list-item1: Spring",
      "list-item1: Autumn",
      ...paragraphs(TWO, THREE),
    ]);
  });

  it("loses no word of a sentence because of its element's name", async () => {
    expect(
      await article(`<p><span class="dateline">HALDEN —</span> ${ONE}</p><p>As <a class="popup" href="#n">Bartleby</a> said: ${TWO}</p>`),
    ).toEqual(paragraphs(`HALDEN — ${ONE}`, `As Bartleby said: ${TWO}`));
  });

  it("keeps what a syntax highlighter calls a comment", async () => {
    const lines = await article(
      `${TEXT.map(p).join("")}<pre><code><span class="token comment">// open the vault</span>\nopen()</code></pre>`,
    );
    expect(lines.at(-1)).toBe("code: // open the vault\nopen()");
  });

  it("keeps its text even if the template calls it an advertisement", async () => {
    const inner = `<div class="share"><p>Tell your friends about the lake</p></div>`;
    expect(blockLines(await page(`<form><div class="sponsored banner">${TEXT.map(p).join(inner)}</div></form>`))).toEqual(
      paragraphs(...TEXT),
    );
  });

  it("keeps a sentence with an image in it", async () => {
    const inline = `<p>The mark <img src="m.png" alt=""> is cut into the third pile of the pier, and is renewed by hand.</p>`;
    expect(await article(p(ONE) + p(TWO) + inline)).toEqual(
      paragraphs(ONE, TWO, "The mark is cut into the third pile of the pier, and is renewed by hand."),
    );
  });

  it("is the one with the main heading if there are several articles", async () => {
    const other = `<article>${p("Another story about another lake begins here, and it is a long one as well, told over many evenings.").repeat(3)}</article>`;
    const text = [...TEXT, ...TEXT, TWO].map((words, i) => `${i}: ${words}`);
    expect(blockLines(await page(`<article><h1>Salt</h1>${text.map(p).join("")}</article>${other}${other}`))).toEqual(paragraphs(...text));
  });

  it("in Chinese is read without the surrounding page", async () => {
    const sentences = [
      "青盐湖的水位自一九三一年建校以来每年春天都要测量一次，记录由学校的老师保存在校长室的木柜里，至今没有中断过一年。",
      "有些年份湖水比旧码头上的刻痕低一掌，渡轮就搁在泥里，村民只好绕着湖岸走上半天，才能把盐运到对岸的集市上去卖。",
      "省里为此资助过三次考察，却始终没有人弄清楚湖水究竟流向何处，有人说是地下的裂缝，也有人说是新修的水渠。",
    ];
    const body = `${sentences.map(p).join("")}<p>广告</p><h3>相关阅读</h3><ul><li><a href="/b">渡轮</a></li><li><a href="/c">码头</a></li></ul>`;
    expect(await article(body)).toEqual(paragraphs(...sentences));
  });
});

describe("a page that is not running text", () => {
  it("keeps its links", async () => {
    const items = Array.from({ length: 30 }, (_, i) => `<li><a href="/${i}">Guide number ${i} to the lakes of the province</a></li>`);
    const lines = blockLines(await page(`<main><h1>Guides</h1><ul>${items.join("")}</ul></main>`));
    expect(lines.filter((line) => line.startsWith("list-item1: Guide number"))).toHaveLength(30);
  });
});

describe("author and date", () => {
  it("are read from the visible page if nothing else names them", async () => {
    const shown = `<div class="post-byline">Written by <a rel="author" href="/ada">Ada Lindqvist</a></div><span class="byline-date">November 19, 2019, 07:47 PM EST</span>`;
    expect(await page(shown + TEXT.map(p).join(""))).toMatchObject({ author: "Ada Lindqvist", publishedAt: "2019-11-19" });
  });

  it.each([
    [`<p class="byline">By Bo Ek | November 19, 2019</p>`, "Bo Ek"],
    [`<p class="byline">November 19, 2019 by Bo Ek</p>`, "Bo Ek"],
    [`<p class="byline">Posted November 19, 2019, by <a rel="author" href="/bo">Bo Ek</a> in Lakes</p>`, "Bo Ek"],
    [`<p class="byline">Posted 2019-11-19, 07:47 PM EST</p>`, null],
    [`<p class="author">By Bo Ek<sup>2</sup> | 2019-11-19</p>`, "Bo Ek"],
    [`<p class="author">作者：李明　来源：湖区日报　2019-11-19</p>`, "李明"],
  ])("are told apart within one byline: %s", async (byline, author) => {
    const document = await page(`<article><h1>Salt</h1>${byline}${TEXT.map(p).join("")}</article>`);
    expect(document).toMatchObject({ author, publishedAt: "2019-11-19" });
  });

  it("are not taken from a comment", async () => {
    const comment = `<div class="comment"><span class="author">Someone</span><time datetime="2020-01-01">then</time></div>`;
    expect(await page(TEXT.map(p).join("") + comment)).toMatchObject({ author: null, publishedAt: null });
  });

  it('are found under names side by side, without "By" and without a date that the template left empty', async () => {
    const head = `<meta itemprop="datePublished dateCreated" content="2019-11-19"><meta name="author" content="By MEG KINNARD"><script type="application/ld+json">{"headline":"Salt","datePublished":"0001-01-01T00:00:00Z"}</script>`;
    expect(await page(TEXT.map(p).join(""), head)).toMatchObject({ author: "MEG KINNARD", publishedAt: "2019-11-19" });
  });
});
