/**
 * Prints the tests that failed, with the first lines of why, and then the counts.
 * Its arguments are JSON reports of Vitest. A missing report counts as one failure.
 */
import { readFileSync } from "node:fs";

const LINES = 12;
let passed = 0;
let failed = 0;

for (const path of process.argv.slice(2)) {
  const report = readReport(path);
  passed += report.numPassedTests ?? 0;
  // A run that fails outside a test, for example in an import, counts as one failure.
  failed += report.numFailedTests || (report.success ? 0 : 1);
  for (const file of report.testResults ?? []) {
    if (file.message) tell(file.name, "(outside a test)", file.message);
    for (const { status, fullName, failureMessages } of file.assertionResults) {
      if (status === "failed") tell(file.name, fullName, failureMessages[0] ?? "");
    }
  }
}

console.log(`tests: ${passed} passed, ${failed} failed`);

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    console.log(`FAILED: no report (${error.message})`);
    return { success: false };
  }
}

function tell(file, name, reason) {
  const lines = reason.split("\n", LINES).map((line) => `    ${line.slice(0, 300)}`);
  console.log([`FAILED: ${file.replace(/^.*\/test\//, "test/")}: ${name}`, ...lines].join("\n"));
}
