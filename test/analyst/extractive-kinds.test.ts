import { expect, test } from "vitest";
import { guide, manual, shouce } from "./manuals.ts";
import { answer, reading, write } from "./readings.ts";

const yard = reading("yard", "Aker Yard", [
  ["paragraph", "Aker Yard has built ferries since it was founded. Its captain is proud of the docks."],
  ["heading2", "Captain"],
  ["paragraph", "Captain Lind studied in Turku for 6 years. A law about the age of 18 was discussed."],
]);

test("what names no price, date, age or figure is no answer to a question for one, and the reason says so", async () => {
  const reason = async (question: string) => (await write(question, [yard])).reason;
  expect(await reason("How much does Aker Yard cost?")).toBe("The sources speak of “Aker Yard”, but name no price.");
  expect(await reason("When was Aker Yard founded?")).toBe("The sources speak of “Aker Yard”, “founded”, but name no date.");
  expect(await reason("Who founded Aker Yard?")).toBe("The sources speak of “founded”, “Aker Yard”, but name no person.");
  expect(await reason("How many ferries has Aker Yard built?")).toBe(
    "The sources speak of “ferries”, “Aker Yard”, “built”, but name no figure.",
  );
  const zh = reading("zh", "", [["paragraph", "李博灏在英国求学6年。今年有人提出把婚龄降低到18岁。"]]);
  expect((await write("李博灏几岁了？", [zh])).reason).toBe("来源谈到了“李博灏”，但没有给出年龄。");
  const ja = reading("ja", "", [["paragraph", "灯台の切符は港で売られています。"]]);
  expect((await write("灯台の切符はいくらですか", [ja])).reason).toBe("情報源は“灯台”、“切符”に触れていますが、金額は示していません。");
  const fr = reading("fr", "", [["paragraph", "Le billet du phare est vendu sur le port."]]);
  expect((await write("Combien coûte le billet du phare ?", [fr], "fr")).reason).toBe(
    "Les sources parlent de “billet”, “phare”, mais n'indiquent aucun prix.",
  );
});

test("a question for a condition is answered by one, though it begins with when", async () => {
  expect(await answer("When is the course corrected?", [manual])).toContain(
    "While the ferry is near a pier, the docking loop corrects its course.",
  );
  expect(await answer("什么时候会修正航向？", [shouce])).toContain("渡轮接近码头时，靠泊循环会修正航向。");
});

test("what was found does not say who founded something", async () => {
  const page = reading("page", "", [["paragraph", "Actually Ada Penrose only found one adapter for Google which works."]]);
  expect((await write("Who founded Google?", [page])).claims).toEqual([]);
});

test("a full name that occurs nowhere cannot be made up for by the rest of the question", async () => {
  const draft = await write("Who was the first harbour pilot of the ferry between two piers, Ada Holt?", [manual, guide]);
  expect(draft.claims).toEqual([]);
  expect(draft.reason).toContain("“Ada Holt”");
});

test("of a short question the name that stands everywhere is not enough", async () => {
  const pages = ["The words of Ferrybox, each explained.", "Ferrybox needs no key.", "Ferrybox is run in a container."].map((text, i) =>
    reading(`p${i}`, "", [["paragraph", text]]),
  );
  expect(await answer("Which companies use Ferrybox?", pages)).toEqual([]);
  expect(await answer("Does Ferrybox need a key?", pages)).toContain("Ferrybox needs no key.");
});

test("a question is answered in its own language where it can be, and in another where it must be", async () => {
  const en = reading("en", "Port", [["paragraph", "The default of BEACON_PORT is 4455."]]);
  const zh = reading("zh", "端口", [["paragraph", "BEACON_PORT 的默认值是 4455，可以用环境变量修改。"]]);
  expect(await answer("What is the default of BEACON_PORT?", [zh, en])).toEqual(["The default of BEACON_PORT is 4455."]);
  expect(await answer("BEACON_PORT 的默认值是多少？", [en, zh])).toEqual(["BEACON_PORT 的默认值是 4455，可以用环境变量修改。"]);
  expect(await answer("BEACON_PORT 是多少？", [en])).toEqual(["The default of BEACON_PORT is 4455."]);
});

test("the halves of a name with capitals are found by it, and it is found by them", async () => {
  const page = reading("page", "", [["paragraph", "The river was mapped by DeepMind in a summer."]]);
  expect(await answer("What was mapped by Deep Mind?", [page])).toHaveLength(1);
});
