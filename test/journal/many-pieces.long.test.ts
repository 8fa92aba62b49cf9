import { expect, it } from "vitest";
import { runBody } from "../helpers/stream-graph.ts";
import { note } from "../helpers/test-graph.ts";

// With work that grows with the square of the pieces, this would not end within the limit of a test.
it("takes 20,000 pieces at once", async () => {
  const spoken = Array.from({ length: 20_000 }, (_, index) => `词${index} `);
  const { report, recording } = await runBody(async (effects) => {
    let length = 0;
    await effects.stream<null, string>({
      kind: "model",
      request: "much",
      timeoutMs: 600_000,
      async live(_, push) {
        for (const word of spoken) push(word);
        return null;
      },
      onPiece: (piece) => {
        length += piece.length;
        note(effects, piece);
      },
    });
    return String(length);
  });
  expect(report).toBe(String(spoken.join("").length));
  expect(recording.segments[0]?.records).toHaveLength(20_001);
});
