import { useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { cleanHtml } from "./clean-html.ts";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { CUSTOM_ELEMENTS, defineCustomElements } from "./custom-elements.tsx";
import { JsonText } from "./json-text.tsx";
import { propsOf, textOf } from "./read-props.ts";

/** A web component of a tool: a registered custom element with props, or HTML of which only inert markup and registered elements are kept. */
export function WebComponent({ props }: ComponentProps) {
  const html = textOf(props["html"]);
  const View = CUSTOM_ELEMENTS.get(textOf(props["tag"]).toLowerCase());
  if (View !== undefined && props["props"] !== undefined) return <View props={propsOf(props["props"])} partial={false} />;
  return html === "" ? <JsonText value={props} /> : <CleanHtml html={html} />;
}

function CleanHtml({ html }: { readonly html: string }) {
  const say = useWords(componentWords);
  const place = useRef<HTMLDivElement>(null);
  const [isEmpty, setEmpty] = useState(false);
  useEffect(() => {
    defineCustomElements();
    const clean = cleanHtml(html);
    setEmpty(clean.childNodes.length === 0 || (clean.textContent?.trim() === "" && clean.querySelector("*") === null));
    place.current?.replaceChildren(clean);
  }, [html]);
  return (
    <>
      <div ref={place} className="component-html" />
      {isEmpty && <p className="quiet">{say("htmlDropped")}</p>}
    </>
  );
}
