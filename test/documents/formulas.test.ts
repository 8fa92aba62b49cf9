import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { shrinkHtml } from "../../src/documents/html/shrink-html.ts";
import { blockLines } from "./sound-blocks.ts";

const extractor = createExtractor();

async function lines(html: string): Promise<string[]> {
  const bytes = new TextEncoder().encode(`<!doctype html><html><body>${html}</body></html>`);
  return blockLines(await extractor.extract({ bytes, mediaType: "text/html", url: "https://example.org/a.html" }));
}

const tag =
  (name: string) =>
  (...inner: string[]) =>
    `<${name}>${inner.join("")}</${name}>`;
const mi = tag("mi");
const mn = tag("mn");
const mo = tag("mo");
const row = tag("mrow");
const frac = tag("mfrac");
const root = tag("msqrt");
const sup = tag("msup");
const sub = tag("msub");
const sum = row(mi("p"), mo("+"), mi("q"));

describe("MathML in linear form", () => {
  it.each([
    ["groups below and above a fraction", frac(sum, row(mn("3"), mi("r"))), "(p+q)/(3r)"],
    ["single tokens without parentheses", mi("y") + mo("=") + frac(mn("7"), mi("k")), "y=7/k"],
    ["a mixed number", mn("5") + frac(mn("3"), mn("4")), "5 3/4"],
    ["roots", `${root(mn("7"))}${mo("+")}${root(mi("p"), mo("−"), mi("q"))}`, "√7+√(p−q)"],
    ["a higher root", `<mroot>${sum}${mn("4")}</mroot>`, "root(4)(p+q)"],
    ["a group as an exponent", sup(mi("e"), row(mo("−"), mi("λ"), mi("t"))), "e^(−λt)"],
    ["a power of a group in parentheses", sup(row(mo("("), sum, mo(")")), mn("3")), "(p+q)^3"],
    ["a product of powers", sup(mi("v"), mn("2")) + mi("t"), "v^2 t"],
    ["a sub- and superscript", `<msubsup>${mi("T")}${mi("k")}${mn("4")}</msubsup>`, "T_k^4"],
    ["limits", `<munderover>${mo("∫")}${mn("0")}${mi("∞")}</munderover>${mi("g")}`, "∫_0^∞ g"],
    ["a limit in words", `<munder>${mi("lim")}${row(mi("h"), mo("→"), mn("0"))}</munder>${mi("g")}`, "lim_(h→0)g"],
    ["a mark above", `<mover>${mi("v")}${mo("→")}</mover>`, "v^→"],
    [
      "a matrix with its brackets",
      `${mo("[")}<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mi>b</mi></mtd></mtr></mtable>${mo("]")}`,
      "[a, 0; 0, b]",
    ],
    [
      "a matrix without brackets",
      `${mi("M")}${mo("=")}<mtable><mtr><mtd><mn>8</mn></mtd></mtr><mtr><mtd><mn>9</mn></mtd></mtr></mtable>`,
      "M=[8; 9]",
    ],
    ["a binomial", `<mfrac linethickness="0pt">${row(mi("m"), mo("+"), mn("1"))}${mi("j")}</mfrac>`, "((m+1) choose j)"],
    ["an isotope", `<mmultiscripts>${mi("Co")}<mprescripts/>${mn("27")}${mn("60")}</mmultiscripts>`, "_27^60 Co"],
    ["scripts on both sides", `<mmultiscripts>${mi("Fe")}<none/>${mn("3+")}<mprescripts/>${mn("26")}<none/></mmultiscripts>`, "_26 Fe^3+"],
    ["words in a formula", `${mi("f")}${mo("=")}${mn("0")}<mtext> unless\n it rains </mtext>${mi("q")}`, "f=0 unless it rains q"],
    [
      "Chinese words",
      `${sub(mi("v"), "<mtext>平均</mtext>")}${mo("=")}${frac("<mtext>路程</mtext>", "<mtext>时间</mtext>")}`,
      "v_平均=路程/时间",
    ],
    [
      "functions and invisible operators",
      `${mi("sin")}${mo("&#x2061;")}${mi("x")}${mo("+")}${mn("2")}${mo("&#x2062;")}${mi("y")}`,
      "sin x+2y",
    ],
    ["fences in attributes", `<mfenced open="[" close=")">${mn("0")}${mn("1")}</mfenced>`, "[0,1)"],
    ["missing and empty parts", `${sup(mi("x"))}${mo("+")}${mn("10")}${sup(mi(), mn("3"))}`, "x+10^3"],
    ["an annotation that is not TeX", `<semantics>${sum}<annotation encoding="text/plain">sum</annotation></semantics>`, "p+q"],
    ["an annotation with TeX", `<semantics>${sum}<annotation encoding="TeX">p + q</annotation></semantics>`, "p + q"],
  ])("is written as %s", async (_, mathml, text) => {
    expect(await lines(`<p>若 <math>${mathml}</math> holds</p>`)).toEqual([`paragraph: 若 ${text} holds`]);
    expect(await lines(shrinkHtml(`<p>若 <math>${mathml}</math> holds</p>`))).toEqual([`paragraph: 若 ${text} holds`]);
  });

  it("reads deep and long formulas", async () => {
    const deep = `<math>${"<mrow><mi>a</mi>".repeat(2_000)}${"</mrow>".repeat(2_000)}</math>`;
    const long = `<math>${frac(mi("a"), mi("b")).repeat(5_000)}</math>`;
    const nested = `${`<span class="katex">`.repeat(2_000)}${"<math><mi>a</mi></math>".repeat(5_000)}${"</span>".repeat(2_000)}`;
    for (const html of [deep, long, nested]) expect((await lines(html)).join("").length).toBeGreaterThan(2_000);
  });
});

describe("the container of a formula", () => {
  const math = `<math>${sup(mi("w"), mn("2"))}</math>`;
  const assistive = `<span class="MJX_Assistive_MathML" role="presentation">${math}</span>`;
  const script = `<script type="math/tex" id="M-1">w^{2}</script>`;

  it.each([
    ["CHTML", `<span class="mjx-chtml MathJax_CHTML"><span class="mjx-math" aria-hidden="true"><span>w2</span></span>${assistive}</span>`],
    ["SVG", `<span class="MathJax_SVG"><svg><text>w2</text></svg>${assistive}</span>`],
    ["HTML-CSS", `<span class="MathJax"><nobr><span class="math"><span>w2</span></span></nobr>${assistive}</span>`],
    ["display", `<div class="MathJax_Display"><span class="MathJax"><nobr><span>w2</span></nobr>${assistive}</span></div>`],
    [
      "CHTML display",
      `<span class="mjx-chtml MJXc-display"><span class="mjx-chtml MathJax_CHTML"><span class="mjx-math">w2</span>${assistive}</span></span>`,
    ],
  ])("of MathJax 2 (%s) is read once, as TeX if there is TeX, else as MathML", async (_, container) => {
    for (const [html, text] of [
      [`${container}${script}`, "w^{2}"],
      [container, "w^2"],
    ]) {
      expect((await lines(`<div>面积 ${html}</div>`)).join(" ")).toBe(`paragraph: 面积 ${text}`);
      expect((await lines(shrinkHtml(`<div>面积 ${html}</div>`))).join(" ")).toBe(`paragraph: 面积 ${text}`);
    }
  });

  it.each(["katex", "MathJax", "MathJax_Display", "mwe-math-element", "MathJax_SVG"])(
    "is not an element with the class %s",
    async (name) => {
      const paragraphs = "<p>The mill grinds by night.</p><p>磨坊夜里开工。</p>";
      const text = ["The mill grinds by night.", "磨坊夜里开工。", "Its rate is w^2"].map((line) => `paragraph: ${line}`);
      for (const element of ["div", "span", "section", "article"]) {
        const html = `${paragraphs}<p>Its rate is ${math}</p>`;
        expect(await lines(`<${element} class="post ${name}">${html}</${element}>`)).toEqual(text);
      }
      expect(await lines(`<div class="${name}"><div>The mill</div><div>${math}</div></div>`)).toEqual([
        "paragraph: The mill",
        "paragraph: w^2",
      ]);
      expect(await lines(`<p><span class="${name}">From ${math} to ${math}</span></p>`)).toEqual(["paragraph: From w^2 to w^2"]);
    },
  );
});
