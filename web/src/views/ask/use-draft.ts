import { useEffect, useState } from "react";
import type { Problem } from "../../api/problem.ts";
import { type KeptDocuments, useAskAgain } from "./ask-again.ts";
import { type AskOptions, DEFAULT_OPTIONS } from "./ask-draft.ts";
import { type Attachments, attach, isEmpty, NO_ATTACHMENTS } from "./attachments.ts";
import { dropDraft, keepDraft, readDraft } from "./draft-storage.ts";

/** What the form holds. It survives other views and, but for the files, a reload. */
export interface Draft {
  readonly question: string;
  readonly options: AskOptions;
  readonly attachments: Attachments;
  /** Of the thread of an earlier run. */
  readonly kept: (KeptDocuments & { readonly isUsed: boolean }) | null;
  /** The names of files that a reload has lost. */
  readonly lostFiles: readonly string[];
}

/** Returns the draft, how to change a part of it, and why the run could not be read. @param from the run that the form is filled from, unless it was changed before; empty if none */
export function useDraft(from: string): readonly [Draft, (change: (before: Draft) => Partial<Draft>) => void, Problem | null] {
  const [begun] = useState(() => readDraft(from));
  const [draft, setDraft] = useState<Draft>(() => firstDraft(begun));
  const change = (next: (before: Draft) => Partial<Draft>): void => setDraft((before) => ({ ...before, ...next(before) }));
  const problem = useAskAgain((again) => {
    change((before) => {
      const kept = again.kept === null ? null : { ...again.kept, isUsed: begun?.draft.isThreadUsed ?? true };
      if (begun !== null) return { kept };
      return {
        kept,
        question: before.question === "" ? again.question : before.question,
        options: again.options,
        attachments: attach(before.attachments, { urls: again.urls }),
      };
    });
  });
  const { question, options, attachments, kept } = draft;
  const isThreadUsed = kept?.isUsed ?? true;
  useEffect(() => {
    // A form in which nobody has done anything is no draft.
    if (question === "" && options === DEFAULT_OPTIONS && isEmpty(attachments)) dropDraft(from);
    else keepDraft({ from, question, options, isThreadUsed }, attachments);
  }, [from, question, options, attachments, isThreadUsed]);
  return [draft, change, problem];
}

function firstDraft(begun: ReturnType<typeof readDraft>): Draft {
  if (begun === null) return { question: "", options: DEFAULT_OPTIONS, attachments: NO_ATTACHMENTS, kept: null, lostFiles: [] };
  const { draft, attachments } = begun;
  const there = new Set(attachments.files.map(({ name }) => name));
  const lostFiles = draft.fileNames.filter((name) => !there.has(name));
  return { question: draft.question, options: draft.options, attachments, kept: null, lostFiles };
}
