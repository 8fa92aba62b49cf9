import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { blockLines, expectSoundBlocks } from "./sound-blocks.ts";

async function extract(title: string, body: string): Promise<ExtractedDocument> {
  const html = `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
  const document = await createExtractor().extract({ bytes: Buffer.from(html), mediaType: "text/html", url: "https://example.org/" });
  expectSoundBlocks(document);
  return document;
}

const lines = async (title: string, body: string): Promise<string[]> => blockLines(await extract(title, body));
const times = (count: number, piece: (i: number) => string): string => Array.from({ length: count }, (_, i) => piece(i + 1)).join("");

describe("a page of questions and answers", () => {
  const answer = (i: number) => `Delivery number ${i} takes three working days within the country and seven abroad.`;

  it.each(["hidden", 'aria-hidden="true"', 'style="display: none"'])("has the answers that its buttons open: %s", async (hiding) => {
    const item = (i: number) =>
      `<div><h3><button aria-controls="p${i}">How long is ${i}?</button></h3><div id="p${i}" ${hiding}><p>${answer(i)}</p></div></div>`;
    const found = await lines("Help", `<main><h1>FAQ</h1>${times(6, item)}</main>`);
    expect(found).toEqual(expect.arrayContaining(["heading3: How long is 1?", `paragraph: ${answer(1)}`, `paragraph: ${answer(6)}`]));
  });

  it("has the answers in closed details, in panels by name and in Chinese", async () => {
    expect(
      await lines(
        "Help",
        times(3, (i) => `<details><summary>Q${i}?</summary><p>${answer(i)}</p></details>`),
      ),
    ).toContain(`paragraph: ${answer(2)}`);
    const chinese = "退款将在收到退货后的七个工作日内原路退回您的账户。";
    const panels = times(
      4,
      (i) => `<div class="faq-item"><p>问题${i}：多久退款？</p><div class="faq-answer" hidden><p>${i}、${chinese}</p></div></div>`,
    );
    expect((await extract("帮助", panels)).text).toContain(`1、${chinese}`);
  });

  it("shows hidden text if there is almost no other text", async () => {
    expect((await extract("Help", `<h1>FAQ</h1>${times(5, (i) => `<p style="display:none">${answer(i)}</p>`)}`)).text).toContain(answer(5));
  });

  it("keeps menus, dialogs, forms and notices hidden", async () => {
    const story = times(6, (i) => `<p>${answer(i)} It is said by the office, which keeps the books of all deliveries.</p>`);
    const menu = `<button aria-controls="m">Menu</button><div id="m" hidden><a href="/a">Everything of the house</a> <a href="/b">All about us</a></div>`;
    const dialog = `<button aria-controls="d">Ask</button><div id="d" role="dialog" hidden>Write to the house about everything you want.</div>`;
    const form = `<button aria-controls="f">Find</button><div id="f" hidden>Search among everything of the house <input></div>`;
    const note = `<p hidden>A note that nobody opens and nobody is meant to read here.</p>`;
    expect((await extract("Story", `${menu}${dialog}${form}<article>${story}${note}</article>`)).text).not.toMatch(/of the house|nobody/);
  });
});

describe("a front page", () => {
  it("keeps its first headline", async () => {
    const teaser = (i: number) =>
      `<article><h2><a href="/n/${i}">Headline ${i} about the harvest</a></h2><p>The harvest in region ${i} was larger than in the year before, officials of the ministry said.</p></article>`;
    expect((await lines("Daily Ledger", `<main>${times(8, teaser)}</main>`))[0]).toBe("heading2: Headline 1 about the harvest");
  });
});

describe("a front page with a lead", () => {
  it("keeps its headline although it is the only one of its level", async () => {
    const lead = `<article><h1><a href="/n/0">Flood reaches the old town</a></h1><p>The flood has reached the old town, where people carried sand to the river.</p></article>`;
    const teaser = (i: number) =>
      `<div><h2><a href="/n/${i}">Headline ${i} about the harvest</a></h2><p>The harvest in region ${i} was larger than in the year before, officials said.</p></div>`;
    expect((await extract("Daily Ledger", `<main>${lead}${times(8, teaser)}</main>`)).text).toContain("Flood reaches the old town");
  });
});

describe("a table", () => {
  it("lines up its columns under headers that span", async () => {
    const head = `<thead><tr><th rowspan="2">地区</th><th colspan="2">2024</th></tr><tr><th>收入</th><th>利润</th></tr></thead>`;
    const rows = `<tr><td rowspan="2">华东</td><td>10</td><td>2</td></tr><tr><td>11</td><td>3</td></tr><tr><th colspan="2">合计</th><td>5</td></tr>`;
    expect(await lines("T", `<table>${head}<tbody>${rows}</tbody></table>`)).toEqual([
      "table-row1: 地区 | 2024 | 2024",
      "table-row: 地区 | 收入 | 利润",
      "table-row: 华东 | 10 | 2",
      "table-row: 华东 | 11 | 3",
      "table-row: 合计 | 合计 | 5",
    ]);
  });

  it("without headers keeps its cells, and is not blown up by its spans", async () => {
    expect(await lines("T", `<table><tr><td colspan="3">Net sales</td><td>1</td></tr></table>`)).toEqual(["table-row1: Net sales | 1"]);
    const wide = `<tr><th colspan="1000" rowspan="9">${"a".repeat(50)}</th><th>b</th></tr>`;
    const tables = [`<table>${wide.repeat(10)}</table>`.repeat(100), `<table>${wide.repeat(1_000)}</table>`].join("");
    expect((await extract("T", tables)).text.length).toBeLessThan(700_000);
  });
});

describe("a table with a table in a cell", () => {
  const inner = "<table><tr><td>Oak</td><td>Elm</td></tr></table>";

  it("keeps its rows", async () => {
    const rows = `<tr><th>Part</th><th>Wood</th></tr><tr><td>Keel</td><td>${inner}</td></tr><tr><td>桅杆</td><td>松木</td></tr>`;
    expect(await lines("T", `<table>${rows}</table>`)).toEqual([
      "table-row1: Part | Wood",
      "table-row: Keel | Oak Elm",
      "table-row: 桅杆 | 松木",
    ]);
  });

  it("is the layout of a page if most rows are of this kind", async () => {
    const row = `<tr><td>Keel</td><td>${inner}</td></tr>`;
    expect(await lines("T", `<table>${row}<tr><td>Mast</td><td>Pine</td></tr>${row}</table>`)).toContain("table-row1: Oak | Elm");
  });
});

describe("a table of a filing", () => {
  it("has a row for each of the rows that line breaks stack in one", async () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    const sales = row("Net sales:<br>Products<br>Services", "$<br>298,085<br>85,200");
    const debts = row("<div>Cash</div><div>Debt</div>", "<div>(1,200)</div>\n<div>3.5%</div>");
    const others = row("(State or other<br>jurisdiction)", "(I.R.S. Employer<br>No.)") + row("Revenue<br>from sales", "<br>1,234");
    expect(await lines("T", `<table>${sales}${debts}${others}${row("营业<br>收入", "1.5")}</table>`)).toEqual([
      "table-row1: Net sales: | $",
      "table-row: Products | 298,085",
      "table-row: Services | 85,200",
      "table-row: Cash | (1,200)",
      "table-row: Debt | 3.5%",
      "table-row: (State or other jurisdiction) | (I.R.S. Employer No.)",
      "table-row: Revenue from sales | 1,234",
      "table-row: 营业 收入 | 1.5",
    ]);
  });

  it.each([
    [
      "shares with a dash",
      ["Rent<br>Fuel<br>Staff", "12%<br>—%<br>4%", "9%<br>— %<br>3%"],
      ["Rent | 12% | 9%", "Fuel | —% | — %", "Staff | 4% | 3%"],
    ],
    ["multiples and no values", ["负债率<br>覆盖", "2.5x<br>N/A", "(1 234)<br>不适用"], ["负债率 | 2.5x | (1 234)", "覆盖 | N/A | 不适用"]],
    ["words in a cell", ["Lea Berg<br>(buyer)", "4410 2201<br>4410 2202"], ["Lea Berg (buyer) | 4410 2201 4410 2202"]],
    ["a cell with one line", ["李明", "3<br>4", "南路 7 号<br>北京"], ["李明 | 3 4 | 南路 7 号 北京"]],
    ["a remark between amounts", ["Sand<br>Salt", "5<br>6", "dry<br>wet"], ["Sand Salt | 5 6 | dry wet"]],
  ])("is split at line breaks only if all cells agree: %s", async (_, cells, rows) => {
    const [first, ...others] = await lines("T", `<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr></table>`);
    expect([first?.replace("row1", "row"), ...others]).toEqual(rows.map((row) => `table-row: ${row}`));
  });
});

describe("a fact box above a text", () => {
  const story = times(
    6,
    (i) => `<p>The office keeps the books of all deliveries of year ${i}, and shows them to whoever asks for them.</p>`,
  );
  const pairs = (name: string) =>
    `<div class="info"><div class="${name}">Filing Date</div><div>2024-02-01</div><div class="${name}">Accepted</div><div class="timestamp">2024-02-01 16:30:11</div></div>`;

  it.each([
    ["of parts", pairs("head"), ["Filing Date", "2024-02-01", "Accepted", "2024-02-01 16:30:11"]],
    [
      "that is a table",
      `<table><tr><th>Filing Date</th><td class="date">2024-02-01</td></tr><tr><th>Accepted</th><td><time datetime="2024-02-02">2 February 2024</time></td></tr></table>`,
      ["Filing Date | 2024-02-01", "Accepted | 2 February 2024"],
    ],
    [
      "that is a list of definitions",
      `<dl><dt>Launch date</dt><dd class="date">12 March 2021</dd><dt>Mass</dt><dd>310 kg</dd></dl>`,
      ["Launch date", "12 March 2021", "Mass", "310 kg"],
    ],
    [
      "that is a list",
      `<ul><li>Launched: <time datetime="2021-03-12">12 March 2021</time></li><li>Decayed: <time datetime="2023-03-12">12 March 2023</time></li></ul>`,
      ["Launched: 12 March 2021", "Decayed: 12 March 2023"],
    ],
    ["of a line", `<p><b>Launch date:</b> 12 March 2021</p>`, ["Launch date: 12 March 2021"]],
  ])("%s keeps its dates, and none of them becomes the publication date", async (_, box, facts) => {
    const document = await extract("Form", `<article><h1>Form</h1>${box}${story}</article>`);
    expect(document.text.split(/\n+/).slice(0, facts.length)).toEqual(facts);
    expect(document.publishedAt).toBeNull();
  });

  const beside = [
    [
      "a list of definitions",
      "<dl><dt>Keel laid</dt><dd>3 May 1902</dd><dt>Beam</dt><dd>9 m</dd></dl>",
      ["Keel laid", "3 May 1902", "Beam", "9 m"],
    ],
    [
      "a table",
      "<div><table><tr><td>龙骨</td><td>1902年5月3日</td></tr><tr><td>船宽</td><td>9米</td></tr></table></div>",
      ["龙骨 | 1902年5月3日", "船宽 | 9米"],
    ],
    ["a table of one row", "<table><tr><td>Keel</td><td>1902</td><td>Beam</td><td>9 m</td></tr></table>", ["Keel | 1902 | Beam | 9 m"]],
    [
      "labels and values in turn",
      `<div><section>${pairs("head")}</section></div>`,
      ["Filing Date", "2024-02-01", "Accepted", "2024-02-01 16:30:11"],
    ],
    ["labels with a colon", "<div><p><b>船宽：</b>9米</p><p><b>吃水：</b>2米</p></div>", ["船宽：9米", "吃水：2米"]],
  ] as const;

  it.each(beside)("stays beside the element with the text, in its place: %s", async (_, box, facts) => {
    const above = await extract("Ship", `<main><header><h1>The ship</h1>${box}</header><div>${story}</div></main>`);
    expect(above.text.split(/\n+/).slice(-6 - facts.length, -6)).toEqual(facts);
    const below = await extract("Ship", `<main><h1>The ship</h1><div>${story}</div><div><h2>Data</h2>${box}</div></main>`);
    expect(below.text.split(/\n+/).slice(-1 - facts.length)).toEqual(["Data", ...facts]);
    expect(above.publishedAt ?? below.publishedAt).toBeNull();
  });

  it.each([
    [
      "of links",
      `<table>${times(3, (i) => `<tr><td><a href="/${i}">Ship ${i}</a></td><td><a href="/p${i}">Port ${i}</a></td></tr>`)}</table>`,
    ],
    ["in a part that is no content", "<aside><dl><dt>Tide</dt><dd>2 m</dd><dt>Wind</dt><dd>9 kn</dd></dl></aside>"],
    ["of dates of publication", "<div><p><b>Published:</b> 5 March 2024</p><p><b>Updated:</b> 6 March 2024</p></div>"],
    ["among other text", "<div><p>Weather of the port</p><dl><dt>Tide</dt><dd>2 m</dd><dt>Wind</dt><dd>9 kn</dd></dl></div>"],
  ])("beside the element with the text is left out: %s", async (_, box) => {
    expect(await lines("Ship", `<main><h1>The ship</h1><div>${story}</div>${box}</main>`)).toHaveLength(6);
  });

  it("does not hide the publication date beside it", async () => {
    const byline = `<p class="byline">By Ada Lindqvist, <time datetime="2024-03-05">5 March 2024</time></p>`;
    expect((await extract("Form", `<article><h1>Form</h1>${pairs("head")}${byline}${story}</article>`)).publishedAt).toBe("2024-03-05");
  });

  it.each([
    ["event-date", null],
    ["due-date", null],
    ["startDate", null],
    ["date", null],
    ["post-date", "2024-01-17"],
    ["pubTime", "2024-01-17"],
  ])("is no source of a publication date unless its class names one: %s", async (name, date) => {
    const box = `<div class="box"><p>The office opens its doors to visitors.</p><span class="${name}">17 January 2024</span></div>`;
    expect((await extract("Form", `<article><h1>Form</h1><p>${"A long lead. ".repeat(60)}</p>${story}${box}</article>`)).publishedAt).toBe(
      date,
    );
  });

  it.each(["date", "meta-date", "timestamp"])(
    "gives the publication date in the class %s beside the headline or a byline",
    async (name) => {
      const date = `<span class="${name}">17 January 2024</span>`;
      const byline = `<p>${"A long lead. ".repeat(60)}</p><div><span class="author">Ada Lindqvist</span> ${date}</div>`;
      expect((await extract("Form", `<h1>Form</h1><div class="meta">${date} News desk</div>${story}`)).publishedAt).toBe("2024-01-17");
      expect((await extract("Form", `<h1>Form</h1>${byline}${story}`)).publishedAt).toBe("2024-01-17");
    },
  );

  it("and events in the same notation are not taken for a publication date either", async () => {
    const event = (i: number) => `<div class="event"><time datetime="2024-0${i}-01">1.${i}.</time> Meeting of the board</div>`;
    expect((await extract("Events", `<h1>Events</h1>${times(3, event)}${story}`)).publishedAt).toBeNull();
  });
});

describe("a date near the headline", () => {
  const story =
    "<p>第二届全球金融科技峰会在上海开幕，来自各国的代表出席了会议，并就金融监管交换了意见。</p>".repeat(2) +
    `<p>${"The delegates met again in the evening. ".repeat(9)}</p>`;

  it.each([
    ["2016-10-14 07:17 来源：新华网", "2016-10-14"],
    ["星期五 2016年10月14日07:17", "2016-10-14"],
    ["发布日期：2016年10月14日", "2016-10-14"],
    ['TNW中文站<span class="pubTime">2016年10月14日07:17</span>', null],
    ['<span>TNW中文站</span><span class="pubTime">2016年10月14日07:17</span>', "2016-10-14"],
    ["First published on Friday, October 14, 2016 at 9:05 am EDT", "2016-10-14"],
    ["October 14, 2016 | By Ada Lindqvist and Bo Ek", "2016-10-14"],
    ["竣工于2016年10月14日", null],
    ["截止日期：2016-10-14", null],
    ["Patent granted 14 October 2016", null],
    ["Friday, October 14, 2016, 7 pm, Town library", null],
    ["Date of hearing: 14/10/2016", null],
    ["<div>Opening ceremony</div><div>14/10/2016</div>", null],
    ["Closes on <time>14 October 2016</time>", null],
    ["Posted 10/14/2016", "2016-10-14"],
    ["By Ada Lindqvist, 14/10/2016", "2016-10-14"],
    ["04/10/2016", null],
    ["责任编辑：李明", null],
    ["The treaty of 2016-10-14 is void.", null],
    ["Updated: 14 October 2016 | Desk: Harbours | Shares: 12", "2016-10-14"],
    ["By Ada Lindqvist | October 14, 2016 | 3 min", "2016-10-14"],
    ["<span>14 October 2016</span><span>6 photos</span>", "2016-10-14"],
    ["Posted on October 14, 2016 by Ada Lindqvist in Harbours", "2016-10-14"],
    ["发表时间：2016-10-14 08:00 阅读：57 编辑：李明", "2016-10-14"],
    ["2016-10-14 09:30　责编：李明　评论：4", "2016-10-14"],
    ["日期：2016年10月14日 【收藏】【分享】", "2016-10-14"],
    ["<span>签署日期：2016-10-01</span><span>发布日期：2016-10-14</span>", "2016-10-14"],
    ["时间：2016-10-14", null],
    ["Founded: 14 October 2016 | Seat: Bergen", null],
    ["成立日期：2016-10-14　注册地：上海", null],
    ["<span>Closing day</span><span>14 October 2016</span>", null],
    ["<span>Closing day:</span> <span>14 October 2016</span>", null],
    ["Permit (2016-10-14) | Bergen", null],
  ])("is the publication date: %s", async (line, date) => {
    expect((await extract("大会开幕", `<h1>大会开幕</h1><div>${line}</div>${story}`)).publishedAt).toBe(date);
  });
});

it("keeps a Chinese sentence that ends in the words of a template", async () => {
  const story = times(6, (i) => `<p>${`港务局第${i}次会议讨论了码头的扩建方案，并把结果写进了港口的记录。`.repeat(6)}</p>`);
  const said = ["他在台上说：Join us on Facebook", "这家报纸的口号是：get our newsletter"];
  const found = await lines(
    "会议",
    `<main><article><h1>会议</h1>${story}${said.map((one) => `<p>${one}</p>`).join("")}${story}</article></main>`,
  );
  for (const one of said) expect(found).toContain(`paragraph: ${one}`);
});

describe("a class name that only resembles clutter", () => {
  const story = times(
    4,
    (i) => `<p>${`The pilots of quay ${i} met in spring and wrote their decision into the book of the port. `.repeat(6)}</p>`,
  );

  it.each(["social-security", "comment-policy-act", "sponsor-states", "x-sidebar-law"])("costs a section no text: %s", async (name) => {
    for (const text of [
      "The benefit of each retired pilot rises by 41 crowns a month from May on.",
      "退休引水员的津贴从五月起每月增加四十一克朗。",
    ]) {
      const section = `<div class="${name}"><p>${text} ${"Those who served less than ten years get a part. ".repeat(3)}</p></div>`;
      const { text: found } = await extract("Pilots", `<main><article><h1>Pilots</h1>${story}${section}${story}</article></main>`);
      expect(found).toContain(text);
    }
  });
});
