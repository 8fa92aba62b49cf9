import { expect, it } from "vitest";
import { checkLink, isPublicAddress } from "../../src/network/check-link.ts";

it.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.0.1.1",
  "192.167.255.255",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.255",
  "2001:4860:4860::8888",
  "2001:200::1",
  "2400:cb00::1",
  "2606:4700::1111",
  "2a00:1450:4001::200e",
])("accepts %s as public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each(["", "localhost", "1.2.3.4.5", "::1%lo", "2606:4700::1111%eth0", "1.1.1.1:80", "[2606:4700::1111]"])(
  "rejects %j as not public",
  (address) => {
    expect(isPublicAddress(address)).toBe(false);
  },
);

it.each([
  "https://example.com/",
  "http://example.com:8080/a?b#c",
  "https://例え.jp/引用",
  "https://bücher.example/",
  "https://doi.org/10.1000/(SICI)1096-8644",
  "https://en.wikipedia.org/wiki/C%2B%2B",
  "http://1.1.1.1/",
  "https://[2606:4700::1111]/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "https://www.corp.example/",
  "https://example.com/redirect?to=http://127.0.0.1/",
])("accepts %s", (link) => {
  expect(checkLink(link, new Set()).href).toBe(new URL(link).href);
});
