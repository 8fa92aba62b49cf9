import { useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Notice } from "../../ui/notice.tsx";
import { plainTitle } from "../../ui/plain-title.ts";
import { useDrop } from "../../ui/use-drop.ts";
import { BadRecording } from "./bad-recording.ts";
import { findDocument } from "./find-document.ts";
import { Player } from "./player.tsx";
import { MAX_BYTES, readRecording, type ShownRecording } from "./read-recording.ts";
import type { ReadDocument } from "./replay-places.ts";
import { replayWords } from "./replay-words.ts";

type State =
  | { readonly kind: "none" }
  | { readonly kind: "reading"; readonly name: string; readonly bytes: number; readonly size: number }
  | { readonly kind: "bad"; readonly name: string; readonly problem: BadRecording }
  | { readonly kind: "read"; readonly file: File; readonly recording: ShownRecording };

/** A recording from a file of the user. It stays in this page's memory, and is gone when the page is left. */
export function FileReplay() {
  const say = useWords(replayWords);
  const [state, setState] = useState<State>({ kind: "none" });
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const forget = (): void => {
    stop.current.abort();
    setState({ kind: "none" });
  };
  const read = (file: File): void => {
    stop.current.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    const { name, size } = file;
    setState({ kind: "reading", name, bytes: 0, size });
    let shownAt = 0;
    const onProgress = (bytes: number): void => {
      if (signal.aborted || performance.now() - shownAt < 100) return;
      shownAt = performance.now();
      setState({ kind: "reading", name, bytes, size });
    };
    readRecording(file, { signal, onProgress }).then(
      (recording) => signal.aborted || setState({ kind: "read", file, recording }),
      (error: unknown) => {
        if (signal.aborted) return;
        const problem = error instanceof BadRecording ? error : new BadRecording("notRecording", 1, String(error));
        setState({ kind: "bad", name, problem });
      },
    );
  };
  return (
    <DropPlace onFile={read}>
      {state.kind === "read" ? (
        <Recording file={state.file} recording={state.recording} onClose={forget} />
      ) : (
        <>
          <FileField onFile={read} />
          {state.kind === "reading" && (
            <div className="replay-reading" role="status">
              <Meter
                label={say("reading")}
                value={state.bytes}
                max={state.size}
                text={say("readPart", { part: megabytes(state.bytes), whole: megabytes(state.size) })}
              />
              <Button onPress={forget}>{say("stop")}</Button>
            </div>
          )}
          {state.kind === "bad" && <BadFile name={state.name} problem={state.problem} />}
        </>
      )}
    </DropPlace>
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

function DropPlace({ onFile, children }: { readonly onFile: (file: File) => void; readonly children: React.ReactNode }) {
  const isOver = useDrop(({ files: [file] }) => file && onFile(file));
  return <div className={isOver ? "replay-place replay-over stack" : "replay-place stack"}>{children}</div>;
}

function FileField({ onFile }: { readonly onFile: (file: File) => void }) {
  const say = useWords(replayWords);
  const choose = ({ target }: { readonly target: HTMLInputElement }): void => {
    const [file] = target.files ?? [];
    if (file !== undefined) onFile(file);
    // The same file can be chosen again.
    target.value = "";
  };
  return (
    <section className="replay-file" aria-label={say("fileTitle")}>
      <p>{say("fileHelp")}</p>
      <label className="button replay-choose">
        {say("choose")}
        <input type="file" className="hidden-text" accept=".ndjson,.jsonl,application/x-ndjson" onChange={choose} />
      </label>
    </section>
  );
}

function BadFile({ name, problem: { what, line, detail } }: { readonly name: string; readonly problem: BadRecording }) {
  const say = useWords(replayWords);
  return (
    <Notice tone="problem" title={say("badFile")}>
      <p>
        <bdi>{name}</bdi>: {say(`bad_${what}`, { line, detail, max: MAX_BYTES / 1_000_000 })}
      </p>
    </Notice>
  );
}

interface RecordingProps {
  readonly file: File;
  readonly recording: ShownRecording;
  readonly onClose: () => void;
}

function Recording({ file, recording: { run, program, moments, flaw }, onClose }: RecordingProps) {
  const say = useWords(replayWords);
  const readDocument = useMemo((): ReadDocument => ({ isStored: false, read: (hash, signal) => findDocument(file, hash, signal) }), [file]);
  return (
    <>
      <div className="row">
        <h2 className="clamp">{plainTitle(run.question)}</h2>
        <Button kind="quiet" onPress={onClose}>
          {say("other")}
        </Button>
      </div>
      <p className="quiet">
        <bdi>{file.name}</bdi> · {say("fromFile", { program })} · {say("unchecked")}
      </p>
      {flaw !== null && <Notice tone="attention" title={say(`flaw_${flaw}`)} />}
      <Player moments={moments} size={moments.size} run={run} readDocument={readDocument} start={1} />
    </>
  );
}
