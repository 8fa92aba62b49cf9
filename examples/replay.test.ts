import { expect, it } from "vitest";
import { replayFile } from "../src/testing.ts";

// With a file of your own: curl -s http://127.0.0.1:3000/research/$ID/recording > test/replays/mine.ndjson
const FILE = new URL("../test/replays/chinese.ndjson", import.meta.url);

it("answers the recorded question as it did", async () => {
  expect(await replayFile(FILE)).toMatchObject({ difference: null, recording: { run: { status: "succeeded" } } });
});
