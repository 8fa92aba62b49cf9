import type { AnswerRequest } from "../../../../src/domain/request.ts";
import type { Pending } from "../../../../src/domain/run.ts";

/** What the form of each kind of entry gets. */
export interface AnswerFormProps {
  readonly pending: Pending;
  /** Where what is typed is kept until it is sent. */
  readonly draft: string;
  readonly isFirstPlan: boolean;
  readonly isSending: boolean;
  readonly onAnswer: (answer: Omit<AnswerRequest, "pendingId">) => void;
}
