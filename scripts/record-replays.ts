// Records the scenarios of test/replays again, all of them or the named ones: npm run record -- [NAME ...]
import { writeFile } from "node:fs/promises";
import { recordScenario, SCENARIOS } from "../test/replays/scenarios.ts";

const FOLDER = new URL("../test/replays/", import.meta.url);
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => SCENARIOS[name] === undefined);

if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(", ")}. Use one of: ${Object.keys(SCENARIOS).join(", ")}.`);
  process.exitCode = 1;
} else {
  for (const [name, scenario] of Object.entries(SCENARIOS).filter(([name]) => asked.length === 0 || asked.includes(name))) {
    const lines = await recordScenario(scenario);
    await writeFile(new URL(`${name}.ndjson`, FOLDER), lines);
    console.log(`${name}.ndjson: ${lines.length} lines`);
  }
}
