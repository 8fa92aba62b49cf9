import { useWords } from "../../i18n/language.tsx";
import { ErrorBoundary } from "../../ui/error-boundary.tsx";
import { Fold } from "../../ui/fold.tsx";
import { componentWords } from "./component-words.ts";
import "./components.css";
import type { ShownComponentProps } from "./component-props.ts";
import { JsonText } from "./json-text.tsx";
import { propsOf } from "./read-props.ts";
import { COMPONENTS } from "./registry.ts";

/** One component in its frame. The line with its name keeps its height, so that nothing moves when it is complete. */
export function Registered({ component, props, partial }: ShownComponentProps) {
  const say = useWords(componentWords);
  const known = COMPONENTS.get(component);
  if (known === undefined) return <UnknownComponent component={component} props={props} partial={partial} />;
  const { title, view: View } = known;
  return (
    <figure className="component" data-component={component} aria-busy={partial}>
      <figcaption className="component-name">
        {say(title)} {partial && <span className="tag tag-accent">{say("writing")}</span>}
      </figcaption>
      <ErrorBoundary message={component}>
        <View props={propsOf(props)} partial={partial} />
      </ErrorBoundary>
    </figure>
  );
}

function UnknownComponent({ component, props }: ShownComponentProps) {
  const say = useWords(componentWords);
  return (
    <Fold className="component" summary={say("json", { name: component })}>
      {() => <JsonText value={props} />}
    </Fold>
  );
}
