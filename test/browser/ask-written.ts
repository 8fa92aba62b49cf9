import type { Report } from "../../src/domain/report.ts";
import type { Run } from "../../src/domain/run.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { lastSaid } from "../fakes/scripted-roles.ts";
import type { WrittenReport } from "../fakes/written-reports.ts";
import { startService, type TestService } from "../helpers/start-service.ts";

export interface WrittenRun {
  readonly service: TestService;
  readonly run: Run & { readonly report: Report };
  /** The address of the run's view. */
  readonly url: string;
}

/** The whole service, in which a scripted model has written this report. All later questions get the same text. */
export async function askWritten({ question, title, document, text, denied, missing }: WrittenReport): Promise<WrittenRun> {
  const model = await startModelServer((request) => {
    if (!contentsOf(request, "system").join().startsWith("You check sentences")) {
      return say.text(`${text}\n\nANSWERS: partly\nMISSING: ${missing}\n`);
    }
    const sentences = [...lastSaid(request).matchAll(/<data sentence-(\d+) \w+>\n(.*)\n/g)];
    return say.text(sentences.map(([, number, words]) => `${number}: ${words === denied ? "no" : "yes"}`).join("\n"));
  });
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", MODEL_PRICES: "" };
  const service = await startService({ environment, corpus: { [title]: document }, parts: { tools: [] } });
  const run = (await service.ask({ question, sources: ["corpus"] })) as WrittenRun["run"];
  return { service, run, url: `${service.url}/runs/${run.id}` };
}
