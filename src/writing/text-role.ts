import type { ChatReply, ChatRequest } from "../domain/chat.ts";
import type { QuestionView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import { statedAnswers } from "../domain/report.ts";
import type { ModelRole } from "../domain/roles.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { languageName } from "../ranking/language.ts";
import { CitedProseFilter, type StreamContext } from "./cited-prose.ts";
import { NO_ANSWER, readNoAnswer } from "./no-answer.ts";
import { PartLines, type ReportPart } from "./part-lines.ts";
import { readWritten, type WrittenText } from "./written-text.ts";

/** Shows a text while a model writes it. */
export interface TextDisplay {
  push(piece: string): void;
  end(): Promise<void>;
  restart(reason: string): void;
  /** Shows the text that was chosen. `last`: it is the one that `push` has just shown. */
  finish?(text: WrittenText, last: boolean): void;
}

/** A role of a model that writes cited sentences from passages, or from the places that notes quote. */
export interface TextRole {
  readonly role: ModelRole;
  readonly node: string;
  readonly schema: ChatRequest["schema"];
  /** What a call of this role may use of the budget. */
  readonly purpose: "gather" | "write";
  /** Whether the model may correct sentences that their quotes do not support. */
  readonly mayCorrect: boolean;
  readonly otherTokens: number;
  /** Chooses what to show, in the order in which it is shown, of at most `tokens` tokens. */
  choose(tokens: number, effects: Effects): Promise<readonly Evidence[]>;
  system(): Promise<string>;
  userMessage(passages: readonly Evidence[]): Promise<string>;
  openDisplay(context: StreamContext, effects: Effects): TextDisplay | null;
  read(reply: ChatReply, known: readonly string[], effects: Effects): Promise<WrittenText>;
}

interface RoleText
  extends Pick<TextRole, "role" | "node" | "choose">,
    Partial<Pick<TextRole, "schema" | "purpose" | "mayCorrect" | "otherTokens" | "openDisplay">> {
  /** What of a report the text is, if it is not the whole. */
  readonly part?: ReportPart;
  /** What the template of the role has in its places, beside what each has. */
  readonly places?: Readonly<Record<string, string>>;
  readonly systemContext?: string;
  /** The template of the message with the passages. */
  readonly message: string;
  readonly values: (passages: readonly Evidence[]) => Readonly<Record<string, string>>;
  /** Returns the text that counts as a report, of what was written. */
  readonly textIn?: (written: string) => Pick<WrittenText, "text" | "named">;
  /** Returns those of the lines that say what is missing that may be shown. */
  readonly missingIn?: (lines: readonly string[], known: readonly string[], effects: Effects) => Promise<string[]>;
}

export function textRole(view: QuestionView, prompts: RenderPrompt, own: RoleText): TextRole {
  const {
    places = {},
    systemContext = view.systemContext,
    message,
    values,
    textIn = (text) => ({ text }),
    missingIn = async () => [],
    part,
    ...role
  } = own;
  const { question, today } = view;
  return {
    ...{ schema: null, purpose: "write", mayCorrect: true, otherTokens: 0 },
    openDisplay: (context, effects) => createDraftDisplay(role.node, context, effects, part),
    ...role,
    system: () => prompts(role.role, { language: languageName(view), today, systemContext, ...places }, view.prompts),
    userMessage: (passages) => prompts(`messages/${message}`, { ...values(passages), question }),
    async read(reply, known, effects) {
      const written = readWritten(reply, known, role.schema != null);
      if (written.fault !== null && written.text === "") return written;
      const missing = await missingIn(written.missing, known, effects);
      const isNoAnswer = role.schema != null && readNoAnswer(written.text) !== null;
      const read = isNoAnswer ? { text: `${NO_ANSWER}: ${missing.join(" ")}` } : textIn(written.text);
      return { ...written, ...read, answers: statedAnswers(written.answers, missing), missing };
    },
  };
}

/** A part of a report is shown as such: its heading at once, and nothing that belongs to other parts. */
function createDraftDisplay(node: string, context: StreamContext, effects: Effects, part?: ReportPart): TextDisplay {
  const callId = effects.nextId();
  let number = 1;
  let prose = new CitedProseFilter(context);
  let lines = part && new PartLines(part);
  const emit = (blocks: readonly string[]): void => {
    for (const delta of blocks) effects.emit({ type: "content", node, callId, try: number, delta, ...(part && { part: part.number }) });
  };
  const heading = part?.heading == null ? [] : [`## ${part.heading}\n\n`];
  emit(heading);
  return {
    push: (piece) => emit(prose.push(lines?.push(piece) ?? piece)),
    async end() {
      emit(prose.push(lines?.end() ?? ""));
      emit(prose.end());
    },
    restart(reason) {
      number += 1;
      prose = new CitedProseFilter(context);
      lines = part && new PartLines(part);
      effects.emit({ type: "call-restarted", callId, try: number, reason });
      emit(heading);
    },
  };
}
