import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { atBase } from "../../api/base-path.ts";
import { leaveTo } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { OuterLink } from "../../ui/outer-link.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { useResource } from "../../ui/use-resource.ts";
import { copyText } from "./copy.ts";
import { CopyButton } from "./copy-button.tsx";
import { DocumentLink } from "./document-link.tsx";
import { DocumentText } from "./document-text.tsx";
import { LocalOriginal } from "./local-original.tsx";
import { SourceLine } from "./quote-facts.tsx";
import { type DocumentPlace, documentPath } from "./read-address.ts";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { closestOf, factsOf, type Note, originalAddress, type SourceFacts } from "./source-facts.ts";

/** The document of a quote: beside the report where there is room, otherwise over it. */
export function DocumentPanel({ place }: { readonly place: DocumentPlace }) {
  const say = useWords(readWords);
  const { closedPath } = useReport().places;
  const close = useCallback((): void => leaveTo(closedPath), [closedPath]);
  const isWide = useMedia("(min-width: 60rem)");
  const Frame = isWide ? Beside : Sheet;
  return (
    <Frame label={say("document")} onClose={close}>
      <DocumentHead place={place} onClose={close} />
      <DocumentBody place={place} />
    </Frame>
  );
}

interface FrameProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Takes the focus, and gives it back to where it was. Escape closes it. */
function Beside({ label, onClose, children }: FrameProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      const isLost = document.activeElement === document.body || document.activeElement === null;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === "Escape" && !defaultPrevented) onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <aside ref={panel} className="document document-beside" aria-label={label} tabIndex={-1}>
      {children}
    </aside>
  );
}

function Sheet({ label, onClose, children }: FrameProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const own = sheet.current;
    own?.showModal();
    return () => own?.close();
  }, []);
  return (
    <dialog
      ref={sheet}
      className="document document-sheet"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}

/** The notes that quote a document, in the order of the document. */
function notesIn(contentHash: string, notes: Iterable<Note>): Note[] {
  return [...notes].filter(({ passage }) => passage.contentHash === contentHash).sort((a, b) => a.passage.start - b.passage.start);
}

function DocumentHead({ place, onClose }: { readonly place: DocumentPlace; readonly onClose: () => void }) {
  const say = useWords(readWords);
  const { run, report, notes, places } = useReport();
  const own = notesIn(place.contentHash, notes.values());
  const shown = [...own, ...closestOf(report)].find((note) => isAt(note, place));
  const source =
    shown?.source ??
    (own[0] === undefined ? null : { ...own[0].source, place: null }) ??
    sourceOf(
      place.contentHash,
      report.sources.map((one) => ({ one, facts: factsOf(one) })),
    );
  const original = shown === undefined ? (source?.href ?? null) : originalAddress(shown);
  return (
    <header className="document-head">
      <div className="document-title">
        {source === null ? <p>{say("document")}</p> : <SourceLine source={source} />}
        <Button kind="quiet" aria-label={say("closeDocument")} onPress={onClose}>
          <span aria-hidden="true">×</span>
        </Button>
      </div>
      <div className="document-ways">
        {original !== null && <OuterLink url={original}>{say("openOriginal")}</OuterLink>}
        {source !== null && source.file !== null && places.isStored && (
          <LocalOriginal contentHash={place.contentHash} file={source.file} quote={shown?.passage.quote ?? null} />
        )}
        {places.isStored && (
          <CopyButton label={say("copyPlace")} copy={() => copyText(new URL(atBase(documentPath(run.id, place)), location.href).href)} />
        )}
        {shown?.number != null && <NoteSteps number={shown.number} />}
      </div>
    </header>
  );
}

/** Which note of the report is shown, and the ways to the one before and after it, also in other documents. */
function NoteSteps({ number }: { readonly number: number }) {
  const say = useWords(readWords);
  const { notes } = useReport();
  const all = [...notes.values()];
  const at = all.findIndex((note) => note.number === number);
  const step = (note: Note | undefined, label: string, sign: string): ReactNode =>
    note !== undefined && (
      <DocumentLink place={note.passage} className="document-step" aria-label={label}>
        {sign}
      </DocumentLink>
    );
  return (
    <nav className="row" aria-label={say("quotes")}>
      {step(all[at - 1], say("previousNote"), "‹")}
      <span className="read-cite read-cite-open" aria-current="true">
        [{number}]
      </span>
      <span>{say("noteOf", { at: at + 1, count: all.length })}</span>
      {step(all[at + 1], say("nextNote"), "›")}
    </nav>
  );
}

function isAt({ passage }: Note, place: DocumentPlace): boolean {
  return passage.contentHash === place.contentHash && passage.start === place.start && passage.end === place.end;
}

type Described = { readonly one: { readonly contentHash: string | null }; readonly facts: SourceFacts };

function sourceOf(contentHash: string, sources: readonly Described[]): SourceFacts | null {
  return sources.find(({ one }) => one.contentHash === contentHash)?.facts ?? null;
}

function DocumentBody({ place }: { readonly place: DocumentPlace }) {
  const say = useWords(readWords);
  const { read } = useReport().places;
  const { contentHash, start, end, isUnreadable = false } = place;
  const load = useCallback((signal: AbortSignal) => read(contentHash, signal), [read, contentHash]);
  const { data, problem, reload } = useResource(load);
  if (problem !== null) return <ProblemNotice problem={problem} title={say("documentFailed")} onRetry={reload} />;
  if (data === null) return <Loading />;
  return (
    <>
      {isUnreadable && <p className="document-note">{say("placeGone")}</p>}
      <DocumentText key={`${start} ${end}`} text={data} mark={start === null || end === null ? null : { start, end }} />
    </>
  );
}
