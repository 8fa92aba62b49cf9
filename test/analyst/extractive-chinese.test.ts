import { expect, test } from "vitest";
import { answer, reading, write } from "./readings.ts";

test("traditional Chinese question words do not stand in the way of an answer", async () => {
  const page = reading("maple", "", [["paragraph", "楓葉在每年十一月變紅。"]]);
  for (const asked of ["什麼時候", "甚麼時候", "何時", "幾時"])
    expect(await answer(`楓葉${asked}變紅？`, [page])).toEqual(["楓葉在每年十一月變紅。"]);
  const tickets = reading("tickets", "", [["paragraph", "車票在車站一樓出售。"]]);
  expect(await answer("車票在哪兒出售？", [tickets])).toEqual(["車票在車站一樓出售。"]);
});

test("a linking word behind a name does not become part of it", async () => {
  const page = reading("mind", "", [
    ["paragraph", "TNW中文站2016年10月14日07:17"],
    ["paragraph", "DeepMind研发的新电脑可以用自己的记忆学习。"],
  ]);
  expect(await answer("DeepMind 的新电脑用什么学习？", [page])).toEqual(["DeepMind研发的新电脑可以用自己的记忆学习。"]);
});

test("a compound that stands nowhere is found by its halves, together in one passage only", async () => {
  const metro = reading("metro", "", [
    ["heading1", "地铁"],
    ["paragraph", "票价为4元。列车每五分钟一班。"],
  ]);
  expect(await answer("地铁票价多少钱？", [metro])).toContain("票价为4元。");
  const apart = reading("apart", "交通指南", [
    ["heading1", "地铁"],
    ["paragraph", "列车每五分钟一班。"],
    ["heading1", "渡轮"],
    ["paragraph", "票价为4元，儿童免费。"],
  ]);
  expect((await write("地铁票价多少钱？", [apart])).claims).toEqual([]);
});
