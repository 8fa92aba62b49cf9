import { useRef } from "react";
import type { Accepted } from "../../../../src/domain/accepted.ts";
import { formatBytes, formatList } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { sayCode } from "../../ui/say-problem.ts";
import { askWords } from "./ask-words.ts";
import type { Judged, LeftOut } from "./judge-attachments.ts";

export interface AttachmentListProps {
  readonly judged: Judged;
  readonly onRemove: (given: File | string) => void;
  /** Null while it is not known. */
  readonly accepted: Accepted | null;
}

/** What will be sent, and below it what will not, with the reasons. */
export function AttachmentList({ judged: { files, urls, leftOut }, onRemove, accepted }: AttachmentListProps) {
  const say = useWords(askWords);
  return (
    <>
      {files.length + urls.length > 0 && (
        <ul className="bare ask-attachments" aria-label={say("attached")}>
          {files.map((file) => (
            <Attached key={`${file.name} ${file.size} ${file.lastModified}`} name={file.name} onRemove={() => onRemove(file)} />
          ))}
          {urls.map((url) => (
            <Attached key={url} name={url} onRemove={() => onRemove(url)} />
          ))}
        </ul>
      )}
      {leftOut.length > 0 && <LeftOutList leftOut={leftOut} onRemove={onRemove} accepted={accepted} />}
    </>
  );
}

/** As many names as one looks through. */
const MAX_SHOWN = 40;

function LeftOutList({ leftOut, onRemove, accepted }: Omit<AttachmentListProps, "judged"> & { readonly leftOut: readonly LeftOut[] }) {
  const say = useWords(askWords);
  const reason = useReason(accepted);
  return (
    <div role="status">
      <p className="field-fault">{say("leftOut", { count: leftOut.length })}</p>
      <ul className="bare ask-left-out" aria-label={say("leftOut", { count: leftOut.length })}>
        {leftOut.slice(0, MAX_SHOWN).map((one, index) => (
          // The list is made anew from what was given, in its order.
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
          <li key={index}>
            <bdi>{one.name}</bdi> <span className="quiet">{reason(one)}</span>
            <Button kind="quiet" aria-label={say("detach", { name: one.name })} onPress={() => onRemove(one.given)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      {leftOut.length > MAX_SHOWN && <p className="quiet">{say("leftOutMore", { count: leftOut.length - MAX_SHOWN })}</p>}
    </div>
  );
}

function useReason(accepted: Accepted | null): (one: LeftOut) => string {
  const say = useWords(askWords);
  const { language } = useLanguage();
  return (one) => {
    if (one.why === "refused") return sayCode(one.code, language) ?? one.code;
    const max = "maxBytes" in one ? formatBytes(one.maxBytes, language) : "";
    const size = typeof one.given === "string" ? "" : formatBytes(one.given.size, language);
    const types = formatList(accepted?.documents.types.map(({ name }) => name) ?? [], language);
    const count = (one.why === "tooManyUrls" ? accepted?.urls : accepted?.documents.count) ?? 0;
    return say(one.why, { max, size, types, count });
  };
}

function Attached({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  const say = useWords(askWords);
  return (
    <li>
      <span>{name}</span>
      <Button kind="quiet" aria-label={say("detach", { name })} onPress={onRemove}>
        ×
      </Button>
    </li>
  );
}

/** Opens the browser's own choice of files. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const say = useWords(askWords);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={say("attach")}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Button kind="quiet" onPress={() => input.current?.click()}>
        {say("attach")}
      </Button>
    </>
  );
}
