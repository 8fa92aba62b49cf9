import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { get, startApp } from "./app-under-test.ts";

/** Keeps the processor busy, and returns for how long. */
function work(ms: number): number {
  const from = performance.now();
  while (performance.now() - from < ms);
  return performance.now() - from;
}

it.each(["recording", "bundle", "report?format=html"])(
  "leaves half of the time to other work while many clients ask for %s and do not read",
  async (file) => {
    let worked = 0;
    const piece = () => {
      worked += work(30);
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
    await expect.poll(() => worked).toBeGreaterThan(300);
    const [from, before] = [performance.now(), worked];
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((worked - before) / (performance.now() - from)).toBeLessThan(0.7);
    expect(worked).toBeGreaterThan(before);
  },
);
