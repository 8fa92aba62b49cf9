import { expect, it } from "vitest";
import { publisherSiteOf } from "../../src/ranking/canonical-url.ts";

it.each([
  ["https://news.harbour.co.uk/a", "harbour.co.uk"],
  ["https://www.stats.gov.cn/b", "stats.gov.cn"],
  ["https://de.m.wikipedia.org/wiki/Hafen", "wikipedia.org"],
  ["https://one.github.io/", "one.github.io"],
  ["http://192.0.2.7:8080/c", "192.0.2.7"],
  ["http://localhost/d", "localhost"],
  ["file:///papers/e.pdf", "file:"],
  ["no address", ""],
])("the publisher of %s is %s", (url, publisher) => {
  expect(publisherSiteOf(url)).toBe(publisher);
});
