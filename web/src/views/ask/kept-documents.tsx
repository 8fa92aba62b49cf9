import { useWords } from "../../i18n/language.tsx";
import type { KeptDocuments } from "./ask-again.ts";
import { askWords } from "./ask-words.ts";

interface KeptDocumentsChoiceProps {
  readonly kept: KeptDocuments;
  readonly isUsed: boolean;
  readonly onChange: (isUsed: boolean) => void;
}

/** Documents that the server has kept for the thread of an earlier run: nobody needs to attach them again. */
export function KeptDocumentsChoice({ kept: { documents }, isUsed, onChange }: KeptDocumentsChoiceProps) {
  const say = useWords(askWords);
  return (
    <div className="ask-kept">
      <label>
        <input type="checkbox" checked={isUsed} onChange={({ target }) => onChange(target.checked)} />
        {say("sameThread", { count: documents.length })}
      </label>
      <ul className="bare ask-attachments" aria-label={say("threadDocuments")}>
        {documents.map(({ contentHash, name }) => (
          <li key={contentHash} className={isUsed ? undefined : "ask-unused"}>
            <span>{name}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
