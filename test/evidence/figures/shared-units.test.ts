import { expect, it } from "vitest";
import { judgeSet } from "../../../scripts/faithful/score-set.ts";

/** Quotes and sentences in which numbers share a unit. They were written before the rule. */
const TRUE: readonly (readonly [quote: string, sentence: string])[] = [
  [
    "The fund paid out $1.2 billion, $1.5 billion and $1.9 billion in the three years.",
    "The fund paid out $1.2, $1.5 and $1.9 billion in the three years.",
  ],
  ["Die Steuer stieg von 1,2 Mrd. Euro auf 1,4 Mrd. Euro.", "Die Steuer stieg von 1,2 auf 1,4 Mrd. Euro."],
  [
    "Large storage doubled from 2.0 gigawatt hours in 2024 to 4.1 gigawatt hours in 2025.",
    "Large storage doubled from 2.0 to 4.1 gigawatt hours.",
  ],
  ["The panels lose between 5 and 7 % of their output in the first year.", "The panels lose 5 % to 7 % of their output in the first year."],
  ["Parcels of 5, 6 and 7 kg cost the same.", "Parcels of 5 kg, 6 kg and 7 kg cost the same."],
  [
    "Average rent climbed to 14.20 euros per square metre, up from 12.80 euros a year earlier.",
    "Average rent climbed from 12.80 to 14.20 euros per square metre.",
  ],
  ["The bridge has two spans, of 120 metres and 85 metres.", "The two spans of the bridge are 120 and 85 metres long."],
  ["Fuel use fell to 5.1 from 6.3 litres per 100 km.", "Fuel use fell from 6.3 litres to 5.1 litres per 100 km."],
  ["公司净利润从2023年的2.0亿元增至2024年的4.1亿元。", "公司净利润从2.0增至4.1亿元。"],
  ["改造完成后，货物列车可牵引从目前4000吨提高到4500吨的重量。", "改造完成后，货物列车可牵引的重量从4000提高到4500吨。"],
  ["今年失业率为5.1%，去年为5.4%。", "失业率从去年的5.4降到今年的5.1%。"],
  ["比赛在标准泳池或20米乘40米的室外球场举行。", "比赛在20乘40米的室外球场举行。"],
  ["机组容量从30扩至66万千瓦。", "机组容量从30万千瓦扩至66万千瓦。"],
];
const FALSE: typeof TRUE = [
  [
    "Large storage doubled from 2.0 gigawatt hours in 2024 to 4.1 gigawatt hours in 2025.",
    "Large storage doubled from 2.0 to 4.1 megawatt hours.",
  ],
  ["The panels lose between 5 and 7 % of their output in the first year.", "The panels lose 5 % of their output in the first year."],
  ["Parcels of 5, 6 and 7 kg cost the same.", "Parcels of 5 g, 6 g and 7 kg cost the same."],
  ["The line is served by 5 trains and carries 7 million passengers.", "The line is served by 5 million trains."],
  ["The two plants employ 40 people and burn 65 tonnes of wood a day.", "The two plants burn 40 and 65 tonnes of wood a day."],
  ["Sales grew from 1.2 to 1.9 billion dollars in three years.", "Sales grew from 1.2 million to 1.9 billion dollars in three years."],
  ["Fuel use fell to 5.1 from 6.3 litres per 100 km.", "Fuel use fell from 6.3 gallons to 5.1 litres per 100 km."],
  ["公司净利润从2023年的2.0亿元增至2024年的4.1亿元。", "公司净利润从2.0增至4.1万元。"],
  ["三种包裹分别重5、6和7公斤。", "三种包裹分别重5克、6克和7公斤。"],
  ["研发投入三年间由1.2亿美元升至1.9亿美元。", "研发投入三年间由1.2升至1.9亿元人民币。"],
  ["机组容量从30扩至66万千瓦。", "机组容量从30千瓦扩至66万千瓦。"],
];

function supportOf(quote: string, text: string, truth: boolean): string | undefined {
  const documents = new Map([["d", quote]]);
  return judgeSet({ sentences: [{ text, truth, citations: [{ document: "d", quote }] }], documents })[0]?.outcome;
}

it.each(TRUE)("%j supports %j", (quote, sentence) => {
  expect(["quoted", "paraphrased"]).toContain(supportOf(quote, sentence, true));
});

it.each(FALSE)("%j is no quote or calculation for %j", (quote, sentence) => {
  expect(["struck", "unverified", "paraphrased"]).toContain(supportOf(quote, sentence, false));
});
