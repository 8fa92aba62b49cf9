import { describe, expect, it } from "vitest";
import type { Hit } from "../../src/domain/hit.ts";
import { calendarDate, collectPages, webHit } from "../../src/tools/services/hits.ts";
import { questionLine } from "../../src/tools/services/query.ts";

const hit = (n: number): Hit => webHit({ foundBy: "brave", title: `${n}`, url: `https://example.org/${n}`, snippet: "" });
const never = new AbortController().signal;

describe("calendarDate", () => {
  it.each([
    ["2024-03-27T15:31:02", "2024-03-27"],
    ["2024-03-27 15:31:02", "2024-03-27"],
    ["2024-03-27", "2024-03-27"],
    ["Mon, 05 May 2025 07:00:00 GMT", "2025-05-05"],
    ["5 May 2025", "2025-05-05"],
    ["Mar 5, 2023", "2023-03-05"],
    ["September 12, 2019", "2019-09-12"],
    ["2023年3月5日", "2023-03-05"],
  ])("reads %s", (text, date) => {
    expect(calendarDate(text)).toBe(date);
  });

  it.each(["2 days ago", "3天前", "yesterday", "2024-13-01", "2024-3-1", "Foo 5, 2023", "2023年30月5日", "", null, undefined])(
    "takes %s for no date",
    (text) => {
      expect(calendarDate(text)).toBeNull();
    },
  );
});

describe("webHit", () => {
  it("cuts long texts between characters", () => {
    const { title, snippet } = webHit({
      foundBy: "brave",
      title: "🗼".repeat(400),
      url: "https://example.org",
      snippet: `a${"🗼".repeat(3_000)}`,
    });
    expect(title).toBe("🗼".repeat(250));
    expect(snippet).toBe(`a${"🗼".repeat(1_999)}`);
  });

  it("is titled by its address where the title is empty", () => {
    expect(webHit({ foundBy: "brave", title: " <b></b> ", url: "https://example.org/a", snippet: "" }).title).toBe("https://example.org/a");
  });
});

describe("collectPages", () => {
  it("reads pages until there are enough, each hit once", async () => {
    const asked: number[] = [];
    const hits = await collectPages(5, 9, never, async (page) => {
      asked.push(page);
      return { hits: [hit(page), hit(page + 1), hit(page + 2)], more: true };
    });
    expect(hits.map(({ title }) => title)).toEqual(["0", "1", "2", "3", "4"]);
    expect(asked).toEqual([0, 1, 2]);
  });

  it.each([
    ["a page brings nothing new", 1, true],
    ["there is no further page", 0, false],
    ["it has read as many as it may", 8, true],
  ])("stops when %s", async (_, last, more) => {
    const asked: number[] = [];
    await collectPages(100, 9, never, async (page) => {
      asked.push(page);
      return { hits: [hit(Math.min(page, last - 1))], more };
    });
    expect(asked.at(-1)).toBe(last);
  });

  it("keeps what it has when a later page fails, but not when its signal is aborted", async () => {
    const controller = new AbortController();
    const failing = (abort: boolean) => async (page: number) => {
      if (page === 0) return { hits: [hit(1)], more: true };
      if (abort) controller.abort(new Error("stop"));
      throw new Error("broken");
    };
    expect(await collectPages(9, 9, never, failing(false))).toHaveLength(1);
    await expect(collectPages(9, 9, controller.signal, failing(true))).rejects.toThrow("stop");
  });
});

describe("questionLine", () => {
  it("keeps whole words up to the limit, and cuts a text without spaces", () => {
    expect(questionLine("  Who built\n the lighthouse? ", 15)).toBe("Who built the");
    expect(questionLine("灯塔".repeat(300), 400)).toBe("灯塔".repeat(200));
    expect(questionLine(" \n ", 400)).toBe("");
  });
});
