import { describe, expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import type { RecordingLine, UnsignedLine } from "../../src/domain/recording.ts";
import { readRecording, signLine, splitLines } from "../../src/journal/recording-file.ts";
import { openDossier } from "../helpers/open-dossier.ts";

let lines: string[] = [];

/** Recorded by the first test that needs it. */
async function record(): Promise<void> {
  if (lines.length > 0) return;
  const dossier = await openDossier();
  const { id } = await dossier.start({ question: "Who built the lighthouse of Aldermoor?" });
  await dossier.finish(id);
  lines = await dossier.recordingLines(id);
}

const parse = (line: string): RecordingLine => JSON.parse(line);
const indexesOf = (type: RecordingLine["type"]): number[] => lines.flatMap((line, index) => (parse(line).type === type ? [index] : []));

/** Changes the line and signs it again, as a forger would. */
function resign(line: string, change: (line: RecordingLine) => void): string {
  const { digest: _, ...copy } = parse(line);
  change(copy as RecordingLine);
  return signLine(copy as UnsignedLine);
}

/** Reads and replays the changed recording; returns the error. */
async function judge(changed: readonly string[]): Promise<string> {
  return readRecording(changed).then(
    async (recording) => {
      const { difference } = await replay(recording);
      return difference === null ? "identical" : `${difference.place}: ${difference.message}`;
    },
    (error: Error) => error.message,
  );
}

describe("a recording", () => {
  it("replays as it was exported", async () => {
    await record();
    expect(await judge(lines)).toBe("identical");
  });

  it("of an earlier version, whose report has no closest passages, replays as well", async () => {
    await record();
    const [first = "", ...rest] = lines;
    const old = resign(first, (line) => {
      if (line.type === "recording") delete (line.run.report as { closest?: unknown }).closest;
    });
    expect(old).not.toContain('"closest"');
    expect(await judge([old, ...rest])).toBe("identical");
    expect(await judge([old.replace('"markdown":"#', '"closest":[],"markdown":"#'), ...rest])).toContain("Line 1 ");
  });

  it("is refused, with its line, for one changed byte in any recorded result", async () => {
    await record();
    for (const index of indexesOf("record")) {
      const line = lines[index] ?? "";
      const start = line.indexOf('"result":') + 9;
      for (const at of [start + 1, Math.floor((start + line.length) / 2)]) {
        const byte = line[at] === "7" ? "8" : "7";
        const changed = lines.with(index, line.slice(0, at) + byte + line.slice(at + 1));
        expect(await judge(changed)).toContain(`Line ${index + 1} `);
      }
    }
  });

  it("is refused if all segments are left out, even if it is signed again", async () => {
    await record();
    const kept = lines.filter((line) => !["segment", "record", "end"].includes(parse(line).type));
    const end = resign(lines.at(-1) ?? "", (line) => Object.assign(line, { lines: kept.length }));
    expect(await judge([...kept, end])).toContain("the recording contains no segment");
  });

  it("may contain characters that other formats read as line breaks", async () => {
    const dossier = await openDossier();
    const { id } = await dossier.start({ question: "Who built\u2028the lighthouse\u2029of Aldermoor? 灯塔\u0085" });
    await dossier.finish(id);
    const file = (await dossier.recordingLines(id)).join("");
    expect(file).not.toMatch(/[\u2028\u2029]/);
    const pieces = file.match(/[\s\S]{1,1000}/g) ?? [];
    expect(await judge(await Array.fromAsync(splitLines(pieces)))).toBe("identical");
    expect(await judge(await Array.fromAsync(splitLines(pieces.map((piece) => piece.replaceAll("\\u2028", "\u2028")))))).toBe("identical");
  });

  it("is refused for one changed byte anywhere else", async () => {
    await record();
    for (const index of lines.keys()) {
      const line = lines[index] ?? "";
      const at = Math.floor(line.length / 3);
      const changed = lines.with(index, `${line.slice(0, at)}${line[at] === "x" ? "y" : "x"}${line.slice(at + 1)}`);
      expect(await judge(changed)).toContain(`Line ${index + 1} `);
    }
  });

  it("names the request whose effect is missing", async () => {
    await record();
    for (const index of indexesOf("record")) {
      const line = parse(lines[index] ?? "");
      if (line.type !== "record") continue;
      const told = await judge(lines.toSpliced(index, 1));
      expect(told).toContain(line.record.key);
    }
  });

  it("names an effect that no code requests", async () => {
    await record();
    const [first = 0] = indexesOf("record");
    const added = (position: number) => (line: RecordingLine) => {
      if (line.type !== "record") return;
      Object.assign(line.record, { key: "9:nowhere#search#00#0", ord: position, after: 3 });
    };
    const last = indexesOf("record").at(-1) ?? 0;
    for (const at of [first, last + 1]) {
      const line = resign(lines[first] ?? "", added(at - first));
      expect(await judge(lines.toSpliced(at, 0, line))).toContain("9:nowhere#search");
    }
  });

  it("names the place where a changed result, signed again, leads to a difference", async () => {
    await record();
    const search = indexesOf("record").find((index) => lines[index]?.includes('"kind":"search"')) ?? 0;
    const changed = lines.with(
      search,
      resign(lines[search] ?? "", (line) => {
        if (line.type === "record") (line.record.result as { hits: { title: string }[] }).hits[0]!.title = "Another lighthouse";
      }),
    );
    expect(await judge(changed)).toMatch(/^0\.0\/\d+:search@\d+: recorded .*source-found.*Another lighthouse/s);
  });

  it("names an event that is missing, added, or in the wrong order", async () => {
    await record();
    const events = indexesOf("event");
    const [, , third = 0, fourth = 0] = events;
    expect(await judge(lines.toSpliced(third, 1))).toMatch(/node-started|event 3/);
    expect(await judge(lines.with(third, lines[fourth] ?? "").with(fourth, lines[third] ?? ""))).not.toBe("identical");
    expect(await judge(lines.toSpliced(third, 0, lines[third] ?? ""))).not.toBe("identical");
  });

  it("is refused if it was cut off, is empty, or is another file", async () => {
    await record();
    expect(await judge(lines.slice(0, -1))).toContain("cut off");
    expect(await judge([])).toContain("empty");
    expect(await judge(["# not a recording"])).toContain("Line 1 ");
    expect(await judge(['{"type":"end","lines":1,"digest":"x"}'])).toContain("Line 1 ");
    expect(await judge(lines.slice(1))).toContain("Line 1 ");
  });
});
