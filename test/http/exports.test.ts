import { connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { stopClock } from "../helpers/stopped-clock.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { get, startApp } from "./app-under-test.ts";

const PIECE_MS = 30;

it.each(["recording", "bundle", "report?format=html"])(
  "pauses after each piece for as long as it took, while many clients ask for %s and do not read",
  async (file) => {
    const clock = stopClock();
    let pieces = 0;
    const piece = () => {
      clock.pass(PIECE_MS);
      pieces += 1;
    };
    const reports = createReportFiles({ program: "dossier" });
    const render = async () => {
      piece();
      return Buffer.from("港口");
    };
    const { runs, port } = await startApp({ reports: { ...reports, render } });
    const { id } = runs.add(sampleRun("港口的收入是多少？"));
    runs.recording = runs.bundle = async function* () {
      for (let count = 0; count < 100; count += 1) {
        piece();
        yield "港".repeat(1_000);
      }
    };
    for (let count = 0; count < 10; count += 1) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined).pause();
      socket.write(get(`/research/${id}/${file}`, { Host: "localhost" }).replace("Connection: close\r\n", "").repeat(90));
      onTestFinished(() => void socket.destroy());
    }
    // The first pieces of the connections come together.
    await expect.poll(() => pieces).toBeGreaterThan(10);
    const before = pieces;
    const timers = vi.spyOn(globalThis, "setTimeout");
    await expect.poll(() => pieces).toBeGreaterThan(before + 20);
    const pauses = timers.mock.calls.filter(([, ms = 0]) => ms >= PIECE_MS);
    expect(pauses.length).toBeGreaterThan((pieces - before) / 2);
  },
);
