import { expect, it } from "vitest";
import { startService } from "../helpers/start-service.ts";

it.each(["/research", "/research/estimate"])(
  "tells %s all faults of a request at once, of its form and of what this server has",
  async (path) => {
    const { url } = await startService({});
    const body = { question: "谁？", sources: ["foo"], limits: { steps: 999_999 }, depth: "mega", graph: "none", tool: 1 };
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    const { code, errors } = (await response.json()) as { code: string; errors: { path: string }[] };
    const paths = errors.map((fault) => fault.path);
    expect([response.status, code]).toEqual([400, "invalid_request"]);
    for (const field of ["/depth", "/sources", "/limits/steps", "/graph"])
      expect(
        paths.some((one) => one.startsWith(field)),
        `${field} of ${paths}`,
      ).toBe(true);
  },
);
