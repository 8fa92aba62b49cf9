import { expect, it } from "vitest";
import { extendQuote } from "../../src/evidence/quote-extension.ts";

it.each([
  ["The lowest temperature was -5 degrees at night.", "5 degrees at night", "-5 degrees at night"],
  ["A net income of −$5 million was reported.", "5 million was reported", "−$5 million was reported"],
  ["这家公司有一百二十三名员工在北京工作。", "二十三名员工", "一百二十三名员工"],
  ["最低气温为 -12 度，出现在一月。", "12 度", "-12 度"],
  ["It costs $27.2 billion a year.", "27.2", "$27.2 billion"],
  ["The lighthouse of Aldermoor", "ouse of Ald", "lighthouse of Aldermoor"],
])("in %j a quote of %j becomes %j", (text, quote, whole) => {
  const start = text.indexOf(quote);
  const span = extendQuote(text, { start, end: start + quote.length });
  expect(text.slice(span.start, span.end)).toBe(whole);
});
