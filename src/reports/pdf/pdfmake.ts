import { createRequire } from "node:module";

/** A stretch of text, or a paragraph of such; see the documentation of pdfmake for what each does. */
export interface Text {
  readonly text: string | readonly Text[];
  readonly font?: string;
  readonly fontSize?: number;
  readonly lineHeight?: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly alignment?: "left" | "center" | "right";
  readonly margin?: readonly [left: number, top: number, right: number, bottom: number];
  readonly width?: number;
  readonly wordBreak?: "break-all";
  readonly link?: string;
  readonly linkToDestination?: string;
  readonly id?: string;
  readonly outline?: boolean;
  readonly outlineText?: string;
  readonly headlineLevel?: number;
}

export interface List {
  readonly ul: readonly Text[];
  readonly markerColor?: string;
}

export interface Columns {
  readonly columns: readonly Text[];
  readonly margin: Text["margin"];
}

export interface Table {
  readonly table: {
    readonly headerRows: number;
    readonly dontBreakRows: boolean;
    readonly widths: readonly (number | "*")[];
    readonly body: readonly (readonly Text[])[];
  };
  readonly layout: Readonly<Record<"hLineWidth" | "vLineWidth" | "paddingLeft" | "paddingRight", () => number>> & {
    readonly hLineColor: () => string;
  };
  readonly margin: Text["margin"];
}

export type Content = Text | List | Columns | Table;

export interface Definition {
  readonly pageSize: "A4";
  readonly pageMargins: readonly [left: number, top: number, right: number, bottom: number];
  readonly version: "1.7";
  readonly language: string;
  readonly displayTitle: boolean;
  readonly info: Readonly<Record<string, string | Date>>;
  readonly defaultStyle: Omit<Text, "text">;
  readonly footer: (page: number, pages: number) => Text;
  /** Whether a page begins before a part; asked when everything is laid out, and laid out again where it does. */
  readonly pageBreakBefore: (part: Pick<Text, "headlineLevel"> & { readonly startPosition: { readonly verticalRatio: number } }) => boolean;
  readonly content: readonly Content[];
}

interface Pdfmake {
  setFonts(fonts: object): void;
  setUrlAccessPolicy(mayFetch: (url: string) => boolean): void;
  setLocalAccessPolicy(mayRead: (path: string) => boolean): void;
  createPdf(definition: Definition): { getBuffer(): Promise<Buffer> };
}

/** The part of pdfmake that is used here. Its published types bring those of browsers along, which clash with those of Node. */
export const pdfmake: Pdfmake = createRequire(import.meta.url)("pdfmake");
