import { expect, test } from "vitest";
import { commonCount, containment, has, hashOf, isContained, shingles, toHashedSet } from "../../src/ranking/hashed-sets.ts";
import { seeded } from "../helpers/seeded.ts";

test("texts are compared by pairs of terms", () => {
  const a = shingles(["the", "loop", "ends", "here"]);
  const b = shingles(["the", "loop", "ends"]);
  expect([a.length, b.length, containment(a, b)]).toEqual([3, 2, 1]);
  expect(shingles(["固态", "态电", "电池"])).toEqual(toHashedSet([hashOf("固态 态电"), hashOf("态电 电池")]));
  expect(shingles(["猫"])).toEqual(toHashedSet([hashOf("猫")]));
  expect(containment(shingles([]), shingles([]))).toBe(0);
  expect(containment(a, shingles(["other"]))).toBe(0);
});

test("the hash is FNV-1a", () => {
  expect([hashOf(""), hashOf("a"), hashOf("foobar")]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  expect(hashOf("bar", hashOf("foo"))).toBe(hashOf("foobar"));
});

test("a set is contained in another if the share of common hashes says so", () => {
  const random = seeded(7);
  const setOf = (size: number) => toHashedSet(Array.from({ length: size }, () => Math.floor(random() * 60)));
  for (let round = 0; round < 300; round++) {
    const [a, b] = [setOf(round % 40), setOf((7 * round) % 50)];
    const common = [...a].filter((hash) => b.includes(hash));
    expect(commonCount(a, b)).toBe(common.length);
    expect(common.every((hash) => has(b, hash))).toBe(true);
    for (const share of [0.3, 0.6, 0.85, 1]) expect(isContained(a, b, share)).toBe(containment(a, b) >= share);
  }
});
