import { it } from "vitest";
import { workKeys } from "../../src/ranking/merge-works.ts";
import { cutLongSpan, splitSentences } from "../../src/ranking/sentences.ts";
import { tokenize } from "../../src/ranking/tokenize.ts";
import { expectLinear } from "../helpers/expect-linear.ts";

it.each(["word ", "。", "A. ", "a; ", "，", "\n \n", "循环结束了吗。", "😀"])("sentences of %j", (piece) => {
  expectLinear((size) => {
    const text = piece.repeat(size);
    for (const span of splitSentences(text)) cutLongSpan(text, span, 600);
  });
});

it.each(["a", "a-", "é", "中", "國", "-", "'", "1,", " ", "A", "\u0301", "\u0301\u0316"])(
  "terms of %j are split in linear time",
  (piece) => {
    expectLinear((size) => tokenize(piece.repeat(size)));
  },
);

it("terms of one long number, and of marks that have to be reordered, are split in linear time", () => {
  expectLinear((size) => tokenize(`a-${"1".repeat(size)}`));
  expectLinear((size) => tokenize(`a${"\u0316".repeat(size)}${"\u0301".repeat(size)}`));
});

it.each(["-", ".", "(", ";sid=", "/amp", "%", "#!/", "?a=1&", "10.1234/", "/10.1234/a)"])(
  "the keys of an address of nothing but %j are found in linear time",
  (part) => {
    expectLinear((size) => {
      const url = `https://example.com/${part.repeat(size)}`;
      workKeys({ url, doi: url });
    });
  },
);
