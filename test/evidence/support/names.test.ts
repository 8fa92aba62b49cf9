import { describe, expect, it } from "vitest";
import { supportOf } from "./support-of.ts";

const DOCUMENT = "Kestrel earned $5 billion, said Marian Oduya, its chief executive.";

describe("a name in Latin script", () => {
  it.each([
    ["The chief of Kestrel named $5 billion.", DOCUMENT, ""],
    ["The CEO, Oduya, named $5 billion.", DOCUMENT, ""],
    ["Sales of the Boeing 737 were $5 billion.", "Sales were $5 billion, said the firm of Oduya.", "What about the Boeing 737?"],
    ["Growth of the US economy was 3%.", "The economy of the United States grew by 3%.", ""],
    ["As the OECD says, it is 3%.", "The Organisation for Economic Co-operation and Development expects 3%.", ""],
    ["It cost 5 million SEK in September.", "In Sept. it cost 5 million SEK, said Marian.", ""],
  ])("stands in the cited document or the question: %s", (sentence, document, question) => {
    expect(supportOf(sentence, document, { question })).toBe("paraphrased");
  });

  it.each([
    ["The chief, Pavel Lindqvist, named $5 billion.", DOCUMENT],
    ["Nokia's earnings were $5 billion.", DOCUMENT],
    ["据US统计增长3%。", "United Steel增长3%。"],
  ])("is otherwise not verified: %s", (sentence, document) => {
    expect(supportOf(sentence, document)).toBe("name_not_in_source");
  });
});

describe("the first word of a sentence", () => {
  it("is a name if a document of the run writes it with a capital inside of a sentence, and none in lower case", () => {
    expect(supportOf("Nokia earned $5 billion.", DOCUMENT, { other: "The rival is Nokia." })).toBe("name_not_in_source");
    expect(supportOf("Nokia earned $5 billion.", DOCUMENT, { other: "See nokia.example. The rival is Nokia." })).toBe("name_not_in_source");
    expect(supportOf("Overall it earned $5 billion.", DOCUMENT, { other: "Overall, sales rose." })).toBe("paraphrased");
    expect(supportOf("Sales were $5 billion.", DOCUMENT, { other: "Our Sales Report: sales rose." })).toBe("paraphrased");
    expect(supportOf("Earnings were $5 billion.", DOCUMENT)).toBe("paraphrased");
  });
});

describe("a name over a document in another script", () => {
  const quote = "苹果公司2024年营业收入为3910亿美元，上年为3833亿美元";

  it("is not compared, unless the document has other names in Latin script", () => {
    expect(supportOf("In 2024 Apple had revenue of $391 billion.", `${quote}。`)).toBe("paraphrased");
    const document = `${quote}。库克（Tim Cook）表示满意。`;
    expect(supportOf("In 2024 Apple had revenue of $391 billion.", document, { quotes: [quote] })).toBe("name_not_in_source");
  });

  it("is missing in what is calculated, which counts as supported", () => {
    const expression = "3910亿美元 - 3833亿美元";
    expect(supportOf("In 2024 Apple gained $7.7 billion.", `${quote}。`, { expression })).toBe("name_not_in_source");
  });
});
