import { useState } from "react";
import { downloadFile, shareReport } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useWords } from "../../i18n/language.tsx";
import { ActionMenu } from "../../ui/action-menu.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { copyForms, copyText } from "./copy.ts";
import { CopyButton } from "./copy-button.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { saveFile } from "./save-file.ts";

const FORMATS = ["pdf", "docx", "html", "md", "bib", "json"] as const;
const WHOLE = ["bundle", "recording"] as const;
type Format = (typeof FORMATS)[number] | (typeof WHOLE)[number];

const pathOf = (runId: string, format: string): string => {
  const run = `/research/${encodeURIComponent(runId)}`;
  return format === "bundle" || format === "recording" ? `${run}/${format}` : `${run}/report?format=${format}`;
};

/** Download in every format, print, copy with citations. */
export function ReportTools() {
  const say = useWords(readWords);
  const { run } = useReport();
  const [getting, setGetting] = useState<Format | null>(null);
  const [failed, setFailed] = useState<{ readonly format: Format; readonly problem: Problem } | null>(null);
  const get = async (format: Format): Promise<void> => {
    setGetting(format);
    setFailed(null);
    try {
      const { blob, filename } = await downloadFile(pathOf(run.id, format));
      saveFile(blob, filename ?? `report-${run.id}`);
    } catch (error) {
      setFailed({ format, problem: asProblem(error) });
    } finally {
      setGetting(null);
    }
  };
  const textOf = (format: Format): Promise<string> =>
    downloadFile(`${pathOf(run.id, format)}&appendix=0${format === "html" ? "&fragment=1" : ""}`).then(({ blob }) => blob.text());
  // Both forms are the files of the report, so they say the same.
  const copy = (): Promise<void> => copyForms(textOf("md"), textOf("html"));
  return (
    <section className="read-tools" aria-label={say("actions")}>
      <ActionMenu
        isDisabled={getting !== null}
        actions={[...FORMATS, ...WHOLE].map((format) => ({ id: format, label: say(format), act: () => void get(format) }))}
      >
        {say(getting === null ? "get" : "getting")}
      </ActionMenu>
      <CopyButton label={say("copy")} copy={copy} />
      <CopyButton label={say("share")} copy={async () => copyText(await shareReport(run.id))} />
      <Button kind="quiet" onPress={() => print()}>
        {say("print")}
      </Button>
      {failed !== null && <ProblemNotice title={say("getFailed")} problem={failed.problem} onRetry={() => get(failed.format)} />}
    </section>
  );
}
