import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { onePage } from "./pdf/make-pdf.ts";

const extractor = createExtractor();

async function read(content: string | Uint8Array, mediaType: string): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return (await extractor.extract({ bytes, mediaType, url: "https://example.org/a" })).text;
}

describe("raised and lowered text", () => {
  it.each([
    ["a power of ten", "about 7 × 10<sup>9</sup> stars", "about 7 × 10^9 stars"],
    ["a negative power", "2 × 10<sup>-4</sup> g, 10<sup>−12</sup> m", "2 × 10^-4 g, 10^−12 m"],
    ["a number in another element", "<b>10</b><sup><i>5</i></sup> seeds", "10^5 seeds"],
    ["the power of a unit or a variable", "30 km<sup>2</sup>, y<sup>3</sup>, 8<sup>k</sup>", "30 km^2, y^3, 8^k"],
    ["a group", "5<sup>k−1</sup>, e<sup>−μt</sup>, 3<sup>2<sup>4</sup></sup>", "5^(k−1), e^(−μt), 3^(2^4)"],
    ["a charge", "SO<sub>3</sub><sup>2−</sup> and Al<sup>3+</sup>", "SO3^2− and Al^3+"],
    ["a fraction", "6<sup>3</sup>/<sub>8</sub> miles, <sup>1</sup>⁄<sub>3</sub> mile", "6 3/8 miles, 1⁄3 mile"],
    ["raised cents", "$24<sup>95</sup>", "$24^95"],
    ["the base of a number", "1101<sub>2</sub> and CO<sub>2</sub>", "1101_2 and CO2"],
    ["an ordinal and a sign", "the 21<sup>st</sup> Aero<sup>®</sup> of the 19<sup>e</sup>", "the 21st Aero® of the 19e"],
    ["the number of a note", "the quay<sup>4</sup> closed.<sup>5,6</sup> 码头<sup>7</sup>", "the quay[4] closed.[5,6] 码头[7]"],
    ["an isotope", "dated with <sup>14</sup>C", "dated with 14C"],
    ["Chinese text", "约7×10<sup>9</sup>颗恒星，30km<sup>2</sup>", "约7×10^9颗恒星，30km^2"],
    ["a number before a digit", "10<sup>3</sup>4 rows", "10^3 4 rows"],
    ["a long text", "Rule 12<sup>as amended by the council in spring</sup>", "Rule 12 as amended by the council in spring"],
  ])("is apart from the number before it in HTML and Markdown: %s", async (_, html, text) => {
    expect(await read(`<p>${html}</p>`, "text/html")).toBe(text);
    expect(await read(`Text: ${html}`, "text/markdown")).toBe(`Text: ${text}`);
  });

  it.each([
    `aged 41<sup><a href="#n2">2</a></sup> then`,
    `aged 41<sup class="reference"><a href="/page#n2">[2]</a></sup> then`,
    `aged 41<a href="#n2"><sup>2</sup></a> then`,
  ])("is left out if it is a link to a note: %s", async (html) => {
    expect(await read(`<p>${html}</p>`, "text/html")).toBe("aged 41 then");
  });

  it("in a PDF is an exponent if both are digits", async () => {
    const line = (text: string, x: number, y: number, size = 12) => ({ text, x, y, size });
    const pdf = onePage(line("A culture of 4 × 10", 40, 700), line("8", 142, 704, 7), line("spores in a jar", 149, 700));
    expect(await read(pdf, "application/pdf")).toContain("4 × 10^8 spores");
  });
});

describe("struck text", () => {
  it.each([
    ["Price <del>€310</del> <ins>€290</ins>", "Price €290"],
    ["<s>620</s>540 seats, <strike>two</strike> three rows", "540 seats, three rows"],
    ["票价<del>80元</del><ins>65元</ins>，<s>3</s>2小时", "票价 65元， 2小时"],
    [`for <span style="text-decoration: line-through">12</span> 9 weeks`, "for 9 weeks"],
  ])("is left out, and does not join its neighbors: %s", async (html, text) => {
    expect(await read(`<p>${html}</p>`, "text/html")).toBe(text);
  });

  it("stays if it has blocks, because an end tag is missing", async () => {
    expect(await read("<div>Seats: <s>620 540<p>The hall is open.</p></div>", "text/html")).toBe("Seats: 620 540\n\nThe hall is open.");
  });

  it("is left out of Markdown, where a single tilde lowers", async () => {
    expect(await read("It has ~~620~~ 540 seats and H~2~O, not <s>3</s>2 rooms.", "text/markdown")).toBe(
      "It has 540 seats and H~2~O, not 2 rooms.",
    );
  });
});

describe("a reading above a word", () => {
  it("is left out", async () => {
    expect(await read("<p>住在<ruby>京<rp>(</rp><rt>jīng</rt><rp>)</rp></ruby>郊</p>", "text/html")).toBe("住在京郊");
  });
});
