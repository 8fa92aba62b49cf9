import { expect, test } from "vitest";
import { answer, reading, write } from "./readings.ts";

const paragraph = (id: string, title: string, text: string) => reading(id, title, [["paragraph", text]]);
const QUOKKA = [
  paragraph("a", "Quokka", "The habitat of the quokka is scrub near swamps."),
  paragraph("b", "Feeding", "The diet of a quokka is made of leaves, grasses and bark."),
  paragraph("c", "Body", "In size the quokka is like a cat."),
  paragraph("d", "Scales", "The weight of an adult quokka is up to 5 kilograms."),
  paragraph("e", "Ferries", "The ferry to the island leaves at nine."),
];
const ZH = [
  paragraph("a", "雪豹", "雪豹的栖息地是高山裸岩地带。"),
  paragraph("b", "捕猎", "雪豹的食物以岩羊为主。"),
  paragraph("c", "称量", "成年雪豹的体重可达五十公斤。"),
  paragraph("d", "渡轮", "渡轮九点开往小岛。"),
];

test("a list of facets is answered from the passages that tell one each", async () => {
  for (const question of [
    "What is the quokka, its habitat, diet, size and weight?",
    "What are the quokka's habitat, diet, size and weight?",
    "Describe the habitat, diet, size and weight of the quokka.",
  ]) {
    const said = (await answer(question, QUOKKA)).join("\n");
    for (const fact of ["scrub near swamps", "grasses and bark", "like a cat", "up to 5 kilograms"]) expect(said).toContain(fact);
    expect(said).not.toContain("ferry");
  }
  const inChinese = await answer("雪豹的栖息地、食物和体重是什么？", ZH);
  for (const fact of ["高山裸岩", "岩羊", "五十公斤"]) expect(inChinese.join("\n")).toContain(fact);
});

test("a list of facets is not answered where one of them alone is told, or of another thing", async () => {
  expect((await write("What is the quokka, its habitat, price, origin, history and lifespan?", QUOKKA)).claims).toEqual([]);
  expect((await write("What is the wombat, its habitat, diet, size and weight?", QUOKKA)).claims).toEqual([]);
});
