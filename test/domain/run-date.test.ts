import { expect, it } from "vitest";
import { dateIn, isTimeZone } from "../../src/domain/run-date.ts";

const NEW_YEAR = Date.UTC(2026, 11, 31, 23, 30);

it.each([
  ["UTC", "2026-12-31"],
  ["Europe/Berlin", "2027-01-01"],
  ["Asia/Shanghai", "2027-01-01"],
  ["America/New_York", "2026-12-31"],
  ["asia/kolkata", "2027-01-01"],
])("tells the date in %s", (timeZone, date) => {
  expect(dateIn(timeZone, NEW_YEAR)).toBe(date);
});

it.each(["Europe/Berlin", "UTC", "Etc/GMT+12", "utc"])("accepts the time zone %s", (name) => {
  expect(isTimeZone(name)).toBe(true);
});

it.each(["", "Berlin", "+02:00", "-05", "Europe/Atlantis", "Europe/Berlin "])("refuses the time zone %j", (name) => {
  expect(isTimeZone(name)).toBe(false);
});
