import { useCallback } from "react";
import { getCorpus, listSources } from "../../api/endpoints.ts";
import { Link } from "../../app/router.tsx";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { askWords, EXAMPLES } from "./ask-words.ts";

/** Kinds of sources that know about the world. */
const WORLD: readonly string[] = ["web", "encyclopedia"];

/** Three questions that this server can answer: of the world, or of its own documents where it searches nothing else. */
export function Examples({ onChoose }: { readonly onChoose: (question: string) => void }) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const load = useCallback(async (signal: AbortSignal) => {
    const { sources } = await listSources(signal);
    const kinds = new Set(sources.filter(({ configured }) => configured).map(({ kind }) => kind));
    const knowsWorld = WORLD.some((kind) => kinds.has(kind));
    // A server that does not tell of its folder has no documents to ask about.
    const titles = knowsWorld
      ? []
      : await getCorpus(signal).then(
          ({ documents }) => documents.map(({ title, path }) => title || path),
          () => [],
        );
    return { knowsWorld, hasWeb: kinds.has("web"), titles };
  }, []);
  const { data } = useResource(load);
  if (data === null) return null;
  const examples = data.knowsWorld ? EXAMPLES[language] : data.titles.map((title) => say("exampleOf", { title }));
  const choose = (example: string): void => {
    onChoose(example);
    document.querySelector<HTMLTextAreaElement>('textarea[name="question"]')?.focus();
  };
  return (
    <section className="ask-examples" aria-label={say("examples")}>
      {examples.length > 0 && <p className="quiet">{say("examples")}</p>}
      {examples.map((example) => (
        <Button key={example} kind="plain" onPress={() => choose(example)}>
          {example}
        </Button>
      ))}
      {!data.hasWeb && (
        <p className="quiet">
          {say("noWeb")} <Link to="/system">{say("noWebLink")}</Link>
        </p>
      )}
    </section>
  );
}
