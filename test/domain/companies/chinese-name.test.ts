import { expect, test } from "vitest";
import { soundsChinese } from "../../../src/domain/companies/chinese-name.ts";

test.each(["Kweichow Moutai", "Huawei", "Xiaomi", "Meituan", "Hainan Airlines", "Shanghai Pudong", "Luzhou Laojiao", "Haier"])(
  "%s sounds Chinese",
  (name) => {
    expect(soundsChinese(name)).toBe(true);
  },
);

test.each(["Apple", "Boeing", "Humana", "Canada", "Palantir", "Nike", "Tesla", "Orange", "Iron Mountain", "General Motors", ""])(
  "%j does not",
  (name) => {
    expect(soundsChinese(name)).toBe(false);
  },
);
