import { expect, test } from "vitest";
import { reading, write } from "./readings.ts";

const harrow = reading("harrow", "Harrow Bridge", [
  ["paragraph", "The Harrow Bridge stands two miles below the Orin Bridge. It was designed by Carl Voss."],
]);
const orin = reading("orin", "Orin Bridge", [
  ["paragraph", "The Orin Bridge crosses the estuary at Tolmere. It was designed by Ada Penrose."],
]);

test("a sentence about it tells nothing of what only another document's subject stands beside", async () => {
  const alone = await write("Who designed the Orin Bridge?", [harrow]);
  expect(alone.claims.map(({ text }) => text)).not.toContain("It was designed by Carl Voss.");
  const both = (await write("Who designed the Orin Bridge?", [harrow, orin])).claims.map(({ text }) => text);
  expect(both).toContain("It was designed by Ada Penrose.");
  expect(both).not.toContain("It was designed by Carl Voss.");
});

test("the same in Chinese", async () => {
  const yinwan = reading("yinwan", "银湾大桥", [["paragraph", "银湾大桥位于雾川大桥下游两公里处。它由卡尔设计。"]]);
  const wuchuan = reading("wuchuan", "雾川大桥", [["paragraph", "雾川大桥连接老城区与码头区。它由林澈设计。"]]);
  const both = (await write("谁设计了雾川大桥？", [yinwan, wuchuan])).claims.map(({ text }) => text);
  expect(both).toContain("它由林澈设计。");
  expect(both).not.toContain("它由卡尔设计。");
});

test.each([
  ["Who wrote War and Peace?", "War and Peace", "War and Peace was written by Leo Tolstoy."],
  ["Who wrote Pride and Prejudice?", "Pride and Prejudice", "The author of Pride and Prejudice is Jane Austen."],
  ["Who built the Orin Bridge?", "Orin Bridge", "The builder of the Orin Bridge was Karl Brandt."],
  ["Who founded Tolmere Shipyards?", "Tolmere Shipyards", "The founder of Tolmere Shipyards was Johan Vire."],
  ["Who painted the Harbour Wall?", "Harbour Wall", "The painter of the Harbour Wall was Lena Hald."],
  ["谁写了《战争与和平》？", "战争与和平", "《战争与和平》的作者是列夫·托尔斯泰。"],
  ["谁写了《傲慢与偏见》？", "傲慢与偏见", "《傲慢与偏见》由简·奥斯汀所著。"],
])("“%s” is answered by other words of the same deed", async (question, title, sentence) => {
  const page = reading("page", title, [["paragraph", sentence]]);
  expect((await write(question, [page])).claims.map(({ text }) => text)).toEqual([sentence]);
});

test("a word that only says that several are asked about is never named as missing", async () => {
  const page = reading("page", "云岭茶", [["paragraph", "云岭茶种植在高山上。"]]);
  expect((await write("云岭茶和沙洲茶的价格分别是多少？", [page])).reason).not.toContain("分别");
});
