import { describe, expect, it } from "vitest";
import { AddressFilter, stripUnknownAddresses } from "../../src/evidence/address-filter.ts";

const KNOWN = ["https://example.com/a?x=1", "https://zh.wikipedia.org/wiki/北京", "https://en.wikipedia.org/wiki/Mercury_(planet)"];
const strip = (text: string): string => stripUnknownAddresses(text, KNOWN);

/** Sentences that end directly before a Latin word. */
const HONEST_DOTS = [
  "我们用 Node。React/Vue 也可以。",
  "日志级别是 debug。info/warn 会被忽略。",
  "瓶颈是 cpu。io/网络都正常。",
  "类型是 string。int/float 也支持。",
  "支持 iOS。app/网页均可。",
  "文档有 README。en/zh 两版。",
  "用 jest。test/spec 目录下。",
  "我用过 Booking。Expedia.com 也不错。",
  "他住在上海。com 是后缀。",
  "版本 v1.2。dev/prod 分开。",
  "增长 3.5。A/B 测试显示有效。",
  "表１．５／２．０，１．io 与 ２．cn 两节。",
  "见图2。TCP/IP 协议。",
  "它是 API。REST/HTTP 都行，见第3。4/5 章。",
  "他说OK。us/eu 两地都有。",
  "这是 GPU。top/bottom 两层。",
  "使用 www。它是万维网。",
  "收入 100 亿。EBITDA/收入为 30%。",
  "比率 a。b=2/3，c。d 也是。",
  "结尾是 python。",
];

const REMOVED: readonly (readonly [string, string])[] = [
  ["See https://evil.test/x?q=1, ok.", "See [address removed], ok."],
  ["(see http://evil.test).", "(see [address removed])."],
  ["见https://evil.test/路径/秘密，然后", "见[address removed]，然后"],
  ["请打开 www.evil.test 下载", "请打开 [address removed] 下载"],
  ["https://例子.测试/路", "[address removed]"],
  ["![x](https://evil.test/p.png?d=secret) z", "![x] [address removed] z"],
  ["[x](<https://evil.test/a b>) z", "[x] [address removed] z"],
  ["[x](\n https://evil.test 'title')", "[x] [address removed]"],
  ["[x](/\\evil.test)", "[x] [address removed]"],
  ["[x](javascript:alert(1))", "[x] [address removed]"],
  ["[x][r]\n\n[r]: //evil.test/y", "[x][r]\n\n[r]: [address removed]"],
  ["> [r]:\n  <evil.test/y> 'z'", "> [r]: [address removed] 'z'"],
  ["<https://evil.test>", "[address removed]"],
  ["<me@evil.test> or me@evil.test!", "[address removed] or [address removed]!"],
  ["<img src=x onerror=alert(1)>", "[address removed]"],
  ["<a title='>' href='https://evil.test'>t</a>", "[address removed]' href='[address removed]'>t</a>"],
  ["<script>alert(1)</script>", "< script>alert(1)< /script>"],
  ["data:text/html;base64,AAA= x", "[address removed] x"],
  ["java&Tab;script:alert`1`", "[address removed]`1`"],
  ["https&#58;//evil.test/ h&#x74;tps://evil.test", "[address removed] [address removed]"],
  ["https\\://evil.test/x", "[address removed]"],
  ["ht\u200btps:/\u2060/evil.test/y", "[address removed]"],
  ["hTTps:/\\evil.test", "[address removed]"],
  ["//evil.test/x", "[address removed]"],
  ["evil.test/x?y=1 and leak.evil.com", "[address removed] and [address removed]"],
  ["10.1.2.3:8080 and ftp:evil", "[address removed] and [address removed]"],
  ["`https://evil.test`|https://evil.test|", "`[address removed]`|[address removed]|"],
  ["evil。example/x", "[address removed]"],
  ["见evil。com/x?d=1。然后", "[address removed]。然后"],
  ["见 evil．example/x，和 evil｡com/y", "见 [address removed]，和 [address removed]"],
  ["https://evil。example/x。然后", "[address removed]。然后"],
  ["http://leak。evil。test/x 和 https://evil．example", "[address removed] 和 [address removed]"],
  ["www。evil。com/x 与 www．evil．com", "[address removed] 与 [address removed]"],
  ["//evil。test/x", "[address removed]"],
  ["leak。evil。com 与 evil。io/x?d=secret", "[address removed] 与 [address removed]"],
  ["https://例子。测试/路", "[address removed]"],
  ["me@evil．com", "[address removed]"],
  ["[x](https://evil。example/x) z", "[x] [address removed] z"],
  ["https://evil.test。React 很好", "[address removed]。React 很好"],
  ["https://evil.test。我们的结论是1.5倍。", "[address removed]。我们的结论是1.5倍。"],
  ["https://evil.test(x) [y](/p)", "[address removed] [y] [address removed]"],
];

const KEPT: readonly (readonly [string, string])[] = [
  ["[k](https://example.com/a?x=1) z", "[k](https://example.com/a?x=1) z"],
  ["https://EXAMPLE.com/a?x=1#part.", "https://example.com/a?x=1."],
  ["[k](https://example.com/a?x=1&utm_source=SECRET)", "[k](https://example.com/a?x=1)"],
  ["https://user:SECRET@example.com/a?x=1", "https://example.com/a?x=1"],
  ["https://example.com/a?x=1。然后", "https://example.com/a?x=1 。然后"],
  ["https://zh.wikipedia.org/wiki/%E5%8C%97%E4%BA%AC)", "https://zh.wikipedia.org/wiki/北京)"],
  ["(https://en.wikipedia.org/wiki/Mercury_(planet))", "(https://en.wikipedia.org/wiki/Mercury_(planet))"],
  ["<https://example.com/a?x=1>", "<https://example.com/a?x=1>"],
  ["<a href='https://example.com/a?x=1'>t</a>", '<a href="https://example.com/a?x=1">t</a>'],
  ["Node.js and/or v1.2/3, U.S./China, e.g. Booking.com, 10.0.0.0/8", "Node.js and/or v1.2/3, U.S./China, e.g. Booking.com, 10.0.0.0/8"],
  ["a // b, 3 < 4, <b>x</b>, [1]: see the note, metadata: x", "a // b, 3 < 4, <b>x</b>, [1]: see the note, metadata: x"],
  ['[P3: "words"] and [P4]', '[P3: "words"] and [P4]'],
  ...HONEST_DOTS.map((text) => [text, text] as const),
  ["https://example.com/a?x=1。React 很好。com/net", "https://example.com/a?x=1 。React 很好。com/net"],
  ["比例为 3:1，见表 2。", "比例为 3:1，见表 2。"],
];

describe("an address", () => {
  it.each(REMOVED)("that no source has is removed from %j", (text, expected) => {
    expect(strip(text)).toBe(expected);
  });

  it.each(KEPT)("that a source has is kept, and so is what only looks like an address: %j", (text, expected) => {
    expect(strip(text)).toBe(expected);
  });
});

it("is filtered the same however the text is cut into pieces", () => {
  const texts = [...REMOVED, ...KEPT].map(([text]) => text);
  const text = [texts.join("\n"), texts.join(" "), texts.join("")].join("😀");
  const whole = strip(text);
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 150; round++) {
    const filter = new AddressFilter(KNOWN);
    const longest = 1 + random(40);
    let out = "";
    for (let at = 0; at < text.length; ) {
      const size = 1 + random(longest);
      out += filter.push(text.slice(at, at + size));
      at += size;
    }
    expect(out + filter.end()).toBe(whole);
  }
});

it("does not delay text that cannot become an address any more", () => {
  const filter = new AddressFilter([]);
  expect(filter.push("The tower is ")).toBe("The tower is ");
  let out = 0;
  for (let i = 0; i < 100; i++) out += filter.push("a".repeat(1_000)).length;
  expect(out).toBeGreaterThan(95_000);
});
