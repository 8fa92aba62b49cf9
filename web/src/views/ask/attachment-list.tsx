import { useRef } from "react";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { askWords } from "./ask-words.ts";
import { type Attachments, MAX_ATTACHMENTS, MAX_BYTES, type Refused } from "./attachments.ts";

export interface AttachmentListProps {
  readonly attachments: Attachments;
  readonly onChange: (attachments: Attachments) => void;
}

export function AttachmentList({ attachments, onChange }: AttachmentListProps) {
  const say = useWords(askWords);
  const { files, urls } = attachments;
  if (files.length + urls.length === 0) return null;
  return (
    <ul className="ask-attachments" aria-label={say("attached")}>
      {files.map((file) => (
        <Attached
          key={`${file.name} ${file.size} ${file.lastModified}`}
          name={file.name}
          onRemove={() => onChange({ files: files.filter((one) => one !== file), urls })}
        />
      ))}
      {urls.map((url) => (
        <Attached key={url} name={url} onRemove={() => onChange({ files, urls: urls.filter((one) => one !== url) })} />
      ))}
    </ul>
  );
}

/** Names what was not attached, and why. */
export function RefusedList({ refused }: { readonly refused: readonly Refused[] }) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  if (refused.length === 0) return null;
  const limit = new Intl.NumberFormat(language, { style: "unit", unit: "megabyte" }).format(MAX_BYTES / 1_000_000);
  const names = refused.map(({ name, why }) => say(why, { name, limit, count: MAX_ATTACHMENTS }));
  return (
    <p className="ask-fault" role="status">
      {say("notAttached", { names: names.join(language === "zh" ? "、" : ", ") })}
    </p>
  );
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
