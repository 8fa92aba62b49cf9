import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { shrinkHtml } from "../../src/documents/html/shrink-html.ts";

describe("the markup of a large page", () => {
  it.each([
    ["scripts and styles", "<style>p{}</style><SCRIPT>a<b</SCRIPT ><p>One.</p>", "<p>One.</p>"],
    [
      "JSON-LD apart",
      '<script type="application/ld+json">{"a":"<i b=c>"}</script>',
      '<script type="application/ld+json">{"a":"<i b=c>"}</script>',
    ],
    ["comments", "a<!-- <p> -->b", "ab"],
    [
      "formatting and pictures",
      '<p style="color:red" class="x"><img src="data:image/png;base64,AAAA" alt=""></p>',
      '<p class="x"><img alt=""></p>',
    ],
    ["wrappers that mean nothing", '<span style="a">1<span id="b">2</span></span>3', '1<span id="b">2</span>3'],
    ["wrappers of XBRL", '<ix:header><b>c</b></ix:header><ix:nonNumeric name="a">收入</ix:nonNumeric>', "收入"],
    ["a style that hides", '<div style="display: none">x</div>', "<div hidden>x</div>"],
  ])("loses %s", (_, page, left) => {
    expect(shrinkHtml(page)).toBe(left);
  });

  it("keeps comparison signs, entities, quotes and elements that are never closed", () => {
    expect(shrinkHtml("1 < 2 &amp; <p title='>' class='a\"b'>x</p><")).toBe('1 < 2 &amp; <p class="a&quot;b">x</p><');
    expect(shrinkHtml("<p>a<svg><p>b")).toBe("<p>a<p>b");
    expect(shrinkHtml("<a href=/海/>海</a><br /><mprescripts/>")).toBe('<a href="/海/">海</a><br/><mprescripts/>');
    expect(shrinkHtml("<p>a<p b='")).toBe("<p>a");
  });
});

describe("a page above the size limit", () => {
  const extract = (html: string) =>
    createExtractor({ maxBytes: 2_500_000 }).extract({ bytes: Buffer.from(html), mediaType: "text/html", url: "https://example.org/a" });

  it("is read if its markup makes it so large", async () => {
    expect((await extract(`<script>${"a".repeat(3_000_000)}</script><p>正文在这里。</p>`)).text).toBe("正文在这里。");
  });

  it("is too large if its text alone is", async () => {
    await expect(extract(`<p>${"a ".repeat(1_500_000)}</p>`)).rejects.toMatchObject({
      code: "document_too_large",
      message: "The document was not read: 3000007 bytes without scripts, styles and pictures exceed the limit of 2500000.",
    });
  });
});
