import { useRef, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import { useKeptText } from "../../ui/use-kept-text.ts";
import type { AnswerFormProps } from "./answer-form.ts";
import { readDraft, writeDraft } from "./pending-draft.ts";
import { pendingWords } from "./pending-words.ts";
import { add, type EditedTodo, move, possibleDependencies, readPlan, remove, reword, toggleDependency, writePlan } from "./plan-edit.ts";

const MAX_TODOS = 20;

/** The plan as a list that can be changed, then approved; or rejected with what should be different. */
export function PlanForm({ pending, draft, isFirstPlan, isSending, onAnswer }: AnswerFormProps) {
  const say = useWords(pendingWords);
  const [kept, setKept] = useKeptText(draft);
  const [todos, show] = useState(() => readDraft(kept) ?? readPlan(pending.plan));
  const setTodos = (next: EditedTodo[]): void => {
    show(next);
    setKept(writeDraft(next));
  };
  const [isRejecting, setRejecting] = useState(false);
  const isChanged = JSON.stringify(writePlan(todos)) !== JSON.stringify(writePlan(readPlan(pending.plan)));
  const fault = todos.length === 0 ? say("noTodos") : todos.some(({ description }) => description.trim() === "") ? say("emptyTodo") : null;
  return (
    <form className="stack" onSubmit={(event) => event.preventDefault()}>
      <h3>{say("planTitle")}</h3>
      {/* After a rejection the server says whether its reason was read. */}
      {!isFirstPlan && <p className="pending-prompt">{pending.prompt}</p>}
      <p className="quiet">{say("planHelp")}</p>
      <TodoFields todos={todos} onChange={setTodos} />
      {fault !== null && (
        <p className="field-fault" role="status">
          {fault}
        </p>
      )}
      {isRejecting ? (
        <Rejection isSending={isSending} onBack={() => setRejecting(false)} onReject={(reason) => onAnswer({ approve: false, reason })} />
      ) : (
        <div className="row">
          <Button
            kind="main"
            isDisabled={isSending || fault !== null}
            onPress={() => onAnswer(isChanged ? { plan: writePlan(todos) } : { approve: true })}
          >
            {say(isChanged ? "approveEdited" : "approve")}
          </Button>
          <Button isDisabled={isSending} onPress={() => setRejecting(true)}>
            {say("reject")}
          </Button>
        </div>
      )}
    </form>
  );
}

function TodoFields({ todos, onChange }: { readonly todos: readonly EditedTodo[]; readonly onChange: (todos: EditedTodo[]) => void }) {
  const say = useWords(pendingWords);
  const list = useRef<HTMLOListElement>(null);
  const [told, setTold] = useState("");
  const shift = (todo: EditedTodo, index: number, steps: number): void => {
    onChange(move(todos, todo.id, steps));
    setTold(say("moved", { count: index + 1, place: index + 1 + steps }));
  };
  const append = (): void => {
    onChange(add(todos));
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("li:last-child textarea")?.focus());
  };
  return (
    <>
      <ol className="pending-todos" ref={list}>
        {todos.map((todo, index) => (
          <li key={todo.id}>
            <textarea
              rows={2}
              dir="auto"
              aria-label={say("todo", { count: index + 1 })}
              value={todo.description}
              onChange={({ target }) => onChange(reword(todos, todo.id, target.value))}
            />
            <div className="row pending-moves">
              <Button
                kind="quiet"
                aria-label={say("up", { count: index + 1 })}
                isDisabled={index === 0}
                onPress={() => shift(todo, index, -1)}
              >
                {say("moveUp")}
              </Button>
              <Button
                kind="quiet"
                aria-label={say("down", { count: index + 1 })}
                isDisabled={index === todos.length - 1}
                onPress={() => shift(todo, index, 1)}
              >
                {say("moveDown")}
              </Button>
              <Button kind="quiet" aria-label={say("remove", { count: index + 1 })} onPress={() => onChange(remove(todos, todo.id))}>
                {say("takeAway")}
              </Button>
            </div>
            {todos.length > 1 && <Dependencies todo={todo} index={index} todos={todos} onChange={onChange} />}
          </li>
        ))}
      </ol>
      <span className="hidden-text" role="status">
        {told}
      </span>
      <div className="row">
        <Button kind="quiet" isDisabled={todos.length >= MAX_TODOS} onPress={append}>
          {say("add")}
        </Button>
      </div>
    </>
  );
}

interface DependenciesProps {
  readonly todo: EditedTodo;
  readonly index: number;
  readonly todos: readonly EditedTodo[];
  readonly onChange: (todos: EditedTodo[]) => void;
}

/** What a todo waits for, folded. */
function Dependencies({ todo, index, todos, onChange }: DependenciesProps) {
  const say = useWords(pendingWords);
  const summary = todo.dependsOn.length === 0 ? say("atOnce") : say("dependsOn", { todos: namesOf(todo, todos) });
  const possible = possibleDependencies(todos, todo.id);
  return (
    <Fold className="pending-after quiet" summary={summary}>
      {() => (
        <fieldset aria-label={say("waitsFor", { count: index + 1 })}>
          {possible.length === 0 && <p>{say("allWait")}</p>}
          {possible.map((other) => (
            <label key={other.id}>
              <input
                type="checkbox"
                checked={todo.dependsOn.includes(other.id)}
                onChange={() => onChange(toggleDependency(todos, todo.id, other.id))}
              />
              <span>
                {todos.indexOf(other) + 1}. {other.description}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Fold>
  );
}

function namesOf({ dependsOn }: EditedTodo, todos: readonly EditedTodo[]): string {
  return dependsOn.map((id) => todos.findIndex((todo) => todo.id === id) + 1 || id).join(", ");
}

interface RejectionProps {
  readonly isSending: boolean;
  readonly onBack: () => void;
  readonly onReject: (reason: string) => void;
}

function Rejection({ isSending, onBack, onReject }: RejectionProps) {
  const say = useWords(pendingWords);
  const [reason, setReason] = useState("");
  return (
    <>
      <label className="pending-label">
        {say("rejectReason")}
        <textarea rows={2} value={reason} onChange={({ target }) => setReason(target.value)} />
      </label>
      <p className="quiet">{say("rejectHelp")}</p>
      <div className="row">
        <Button kind="danger" isDisabled={isSending} onPress={() => onReject(reason)}>
          {say("sendRejection")}
        </Button>
        <Button kind="quiet" onPress={onBack}>
          {say("back")}
        </Button>
      </div>
    </>
  );
}
