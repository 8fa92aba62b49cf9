import { expect, test } from "vitest";
import { readMeasure, tellsMeasure } from "../../src/analyst/extractive/measures.ts";
import { answer, reading, write } from "./readings.ts";

const page = (text: string, heading = "") => [reading("page", heading, [["paragraph", text]])];

function tells(question: string, text: string): boolean {
  const asked = readMeasure(question);
  if (asked === null) throw new Error(`“${question}” asks for no measure`);
  return tellsMeasure(asked.measure, text);
}

test.each([
  ["How tall is the Veldt Mast?", "The mast is 88 metres tall."],
  ["How tall is the Veldt Mast?", "It rises to eighty-eight metres."],
  ["What is the height of the Veldt Mast?", "Completed in 1931, the 88-metre mast is painted white."],
  ["How deep is the Orsa shaft?", "The shaft was dug in 1902 and is 410 feet deep."],
  ["What is the range of the Kite glider?", "The Kite can reach a place 300 km away."],
  ["How much does the Harrow bell weigh?", "The bell is of bronze, a mass of 3.5 tonnes."],
  ["What is Aldermoor's area?", "Aldermoor covers 52 square kilometres."],
  ["云门塔有多高？", "云门塔高68米，共九层。"],
  ["云门塔的高度是多少？", "塔身为砖石结构，通高六十八米。"],
  ["白石水库的水深如何？", "水库最深处为31米。"],
  ["沙洲大钟有多重？", "大钟重达12吨。"],
  ["长风列车的续航里程是多少公里？", "长风列车一次可续航600公里。"],
])("%s is told by “%s”", (question, text) => {
  expect(tells(question, text)).toBe(true);
});

test.each([
  ["How tall is the Veldt Mast?", "The mast was completed in 1931."],
  ["How tall is the Veldt Mast?", "The mast can be seen 30 kilometres away."],
  ["How tall is the Veldt Mast?", "The mast is tall and has 4 lamps."],
  ["How deep is the Orsa shaft?", "The shaft is 6 metres wide."],
  ["How much does the Harrow bell weigh?", "Casting the bell cost 700 pounds."],
  ["How much does the Harrow bell weigh?", "The bell was cast in 1702."],
  ["云门塔有多高？", "云门塔建于1931年，距城门300米。"],
  ["白石水库的水深如何？", "水库大坝长420米。"],
  ["沙洲大钟有多重？", "大钟于1702年铸成，高2米。"],
])("%s is not told by “%s”", (question, text) => {
  expect(tells(question, text)).toBe(false);
});

test.each([
  "How high is the inflation rate?",
  "What is the range of products?",
  "What is the area of expertise of Ada Penrose?",
  "How long does the tour take?",
  "What is the height of the mast, and who built it?",
  "工资有多高？",
  "云门塔和白石水库的建成时间、高度和深度分别是多少，是谁建的？",
])("%s asks for no single measure", (question) => {
  expect(readMeasure(question)).toBeNull();
});

test("of a section the sentence with the measure is quoted, though it does not name what it measures", async () => {
  const mast = page(
    "The Veldt Mast was completed in 1931. Its lamp is visible for 30 km. The steel column is 88 metres tall.",
    "Veldt Mast",
  );
  expect(await answer("How tall is the Veldt Mast?", mast)).toContain("The steel column is 88 metres tall.");
  const tower = page("云门塔于1931年落成。塔灯在30公里外可见。砖砌的塔身高68米。", "云门塔");
  expect(await answer("云门塔有多高？", tower)).toContain("砖砌的塔身高68米。");
});

test("a question for a measure that is told nowhere is not answered with another figure", async () => {
  const draft = await write(
    "How heavy is the Veldt Mast?",
    page("The Veldt Mast was completed in 1931. The Veldt Mast is 88 metres tall."),
  );
  expect(draft.claims).toEqual([]);
  expect((await write("云门塔有多重？", page("云门塔于1931年落成。云门塔高68米。"))).claims).toEqual([]);
});
