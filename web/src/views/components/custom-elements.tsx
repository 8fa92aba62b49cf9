import { type ComponentType, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { parseJson } from "../../../../src/util/json-fields.ts";
import { LanguageProvider } from "../../i18n/language.tsx";
import { type Props, propsOf } from "./read-props.ts";
import { SeriesChart } from "./series-chart.tsx";
import { ShownTable } from "./shown-table.tsx";
import { SourceCard } from "./source-card.tsx";

type View = ComponentType<{ readonly props: Props; readonly partial: boolean }>;

/** The custom elements that a tool's HTML may use. Their attribute `props` has JSON. */
export const CUSTOM_ELEMENTS: ReadonlyMap<string, View> = new Map<string, View>([
  ["x-chart", SeriesChart],
  ["x-table", ShownTable],
  ["x-source", SourceCard],
]);

const MAX_LENGTH = 100_000;

/** Called before such HTML is shown. Does nothing the second time. */
export function defineCustomElements(): void {
  for (const [name, view] of CUSTOM_ELEMENTS) {
    if (customElements.get(name) === undefined) customElements.define(name, elementOf(view));
  }
}

function elementOf(view: View): CustomElementConstructor {
  return class extends HTMLElement {
    #root: Root | null = null;

    connectedCallback(): void {
      const props = readProps(this.getAttribute("props") ?? "");
      this.#root ??= createRoot(this);
      this.#root.render(createElement(LanguageProvider, null, createElement(view, { props, partial: false })));
    }

    disconnectedCallback(): void {
      const root = this.#root;
      this.#root = null;
      // React must not be stopped while it draws.
      setTimeout(() => root?.unmount());
    }
  };
}

function readProps(text: string): Props {
  return text.length > MAX_LENGTH ? {} : propsOf(parseJson(text));
}
