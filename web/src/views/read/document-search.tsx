import { type KeyboardEvent, useEffect, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { findInText, MAX_MATCHES } from "./find-in-text.ts";
import { readWords } from "./read-words.ts";
import type { Span } from "./text-window.ts";

const PAUSE_MS = 150;
const NOTHING: readonly Span[] = [];

interface DocumentSearchProps {
  readonly text: string;
  /** Called with the match that should be shown; null when the search is over. */
  readonly onFind: (match: Span | null) => void;
}

/** Finds words in a document. Enter goes to the next match, with Shift to the one before; Escape ends the search. */
export function DocumentSearch({ text, onFind }: DocumentSearchProps) {
  const say = useWords(readWords);
  const [words, setWords] = useState("");
  const [matches, setMatches] = useState(NOTHING);
  const [at, setAt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is called stays the same for a text.
  useEffect(() => {
    if (words.trim() === "") {
      setMatches(NOTHING);
      onFind(null);
      return;
    }
    const stop = new AbortController();
    const search = (): void => {
      findInText(text, words, stop.signal).then(
        (found) => {
          setMatches(found);
          setAt(0);
          onFind(found[0] ?? null);
        },
        // Other words are searched for.
        () => {},
      );
    };
    const timer = setTimeout(search, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, words]);
  const go = (steps: number): void => {
    if (matches.length === 0) return;
    const next = (at + steps + matches.length) % matches.length;
    setAt(next);
    onFind(matches[next] ?? null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key !== "Escape" || words === "") return;
    else setWords("");
    event.preventDefault();
    event.stopPropagation();
  };
  const count = matches.length === MAX_MATCHES ? `${MAX_MATCHES}+` : String(matches.length);
  return (
    <search className="document-search">
      <input
        type="search"
        aria-label={say("searchDocument")}
        placeholder={say("searchDocument")}
        value={words}
        maxLength={200}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="quiet" role="status">
        {words.trim() !== "" && (matches.length === 0 ? say("notInDocument") : say("matchOf", { at: at + 1, count }))}
      </span>
      <Button kind="quiet" aria-label={say("previousMatch")} isDisabled={matches.length === 0} onPress={() => go(-1)}>
        <span aria-hidden="true">↑</span>
      </Button>
      <Button kind="quiet" aria-label={say("nextMatch")} isDisabled={matches.length === 0} onPress={() => go(1)}>
        <span aria-hidden="true">↓</span>
      </Button>
    </search>
  );
}
