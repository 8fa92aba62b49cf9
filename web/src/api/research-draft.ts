/** The fields of a request that this page sets. */
export interface ResearchDraft {
  readonly question: string;
  readonly graph?: string;
  readonly sources?: readonly string[];
  readonly otherSources?: boolean;
  readonly queries?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
  readonly depth?: "quick" | "standard" | "deep";
  readonly report?: { readonly style?: string; readonly instructions?: string };
  readonly language?: string;
  readonly timeZone?: string;
  readonly threadId?: string;
  readonly planApproval?: boolean;
  readonly team?: string | object;
  readonly model?: string;
  readonly models?: Readonly<Record<string, string>>;
  readonly urls?: readonly string[];
  readonly since?: string;
  readonly clarify?: boolean;
  readonly systemContext?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
