import { expect, test } from "vitest";
import { readProperty } from "../../src/analyst/extractive/property.ts";
import { answer, reading, write } from "./readings.ts";

const page = (text: string) => [reading("page", "", [["paragraph", text]])];
const metro = page(
  "The metro has a fleet of 30 trains. The parcel excludes batteries. The river is wide. The hall is warm. The desk opens daily. Anna leads the works.",
);

test("a property that is told nowhere is not answered with something else, and the reason names it", async () => {
  expect((await write("What colour are the trains?", metro)).reason).toBe("The sources speak of “trains”, but name no “colour”.");
  expect((await write("What size are the batteries?", metro)).reason).toBe("The sources speak of “batteries”, but name no “size”.");
  expect((await write("What shape is the metro?", metro)).claims).toEqual([]);
  expect(
    (await write("列车是什么颜色？", page("地铁共有三十列列车在运行。河水很宽。大厅很暖和。柜台每天开放。游客很多，也很安静。"))).reason,
  ).toBe("来源谈到了“列车”，但没有给出“颜色”。");
  expect((await write("電池是什麼尺寸的？", page("包裹裡不包括電池和充電器。"))).claims).toEqual([]);
});

test.each([
  ["What colour are the trains?", "The trains are red.", "The trains are red."],
  ["What color are the trains?", "The trains are new. They are dark green.", "They are dark green."],
  ["What size are the batteries?", "The lamp takes two AA batteries.", "The lamp takes two AA batteries."],
  ["What height is the tower?", "The tower rises 324 metres over the town.", "The tower rises 324 metres over the town."],
  ["What version of the driver is needed?", "The driver must be 2.4.1 or newer.", "The driver must be 2.4.1 or newer."],
  ["列车是什么颜色的？", "列车是绿色的。", "列车是绿色的。"],
  ["列車是哪種顏色？", "列車漆成藍色和白色。", "列車漆成藍色和白色。"],
  ["箱子是什么尺寸？", "箱子长40厘米，很结实。", "箱子长40厘米，很结实。"],
])("%s is answered by a value of the property: %s", async (question, text, expected) => {
  expect(await answer(question, page(text))).toContain(expected);
});

test.each([
  "Which city is the capital of France?",
  "What size limit applies to uploads?",
  "Which version control system is used?",
  "What determines colour?",
  "什么版本控制系统最好？",
  "哪座城市是首都？",
])("%s asks for no property that would have to be named", (question) => {
  expect(readProperty(question)).toBeNull();
});
