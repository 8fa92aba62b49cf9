import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readRecording, splitLines } from "../../src/journal/recording-file.ts";
import { replayFile } from "../../src/testing.ts";
import { recordScenario, SCENARIOS } from "./scenarios.ts";

const FOLDER = new URL(".", import.meta.url).pathname;
const FILES = (await readdir(FOLDER)).filter((file) => file.endsWith(".ndjson"));

describe("the recordings in this folder", () => {
  it("are one for each scenario, and those that anybody adds", () => {
    expect(FILES).toEqual(expect.arrayContaining(Object.keys(SCENARIOS).map((name) => `${name}.ndjson`)));
  });

  for (const file of FILES) {
    it(`${file} replays to the same events and the same report; if a change is meant to alter them, record it again`, async () => {
      const recording = await readRecording(splitLines(createReadStream(FOLDER + file, { encoding: "utf8" })));
      const scenario = SCENARIOS[file.replace(".ndjson", "")];
      const again = scenario === undefined ? await replayFile(FOLDER + file) : await scenario.replay(recording);
      expect(again.difference).toBeNull();
      expect(again.events).toEqual(recording.events);
    });
  }
});

describe("a scenario recorded now", () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    it(`${name} replays at once`, async () => {
      const recording = await readRecording(await recordScenario(scenario));
      const again = await scenario.replay(recording);
      expect(again.difference).toBeNull();
      expect(again.events).toEqual(recording.events);
    });
  }
});
