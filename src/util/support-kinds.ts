/** The kinds of support that a reader is told, in this order. `confirmed`: paraphrased, and a model confirmed the wording. */
export const SUPPORT_KINDS = ["quoted", "computed", "confirmed", "paraphrased", "summary", "unverified"] as const;
export type SupportKind = (typeof SUPPORT_KINDS)[number];

interface Supported {
  readonly support: Exclude<SupportKind, "confirmed">;
  readonly supported: boolean;
}

export function supportKind({ support, supported }: Supported): SupportKind {
  return support === "paraphrased" && supported ? "confirmed" : support;
}

/** Whether a claim's reason says that a quote has something else, not only that it lacks something. */
export function isContradiction(reason: string | null): boolean {
  return /^(?:\w+_contradicted|percent_for_points|wrong_result)\b/.test(reason ?? "");
}

/** Whether several sentences have figures whose origins are counted, and each has only one. */
export function haveOneOrigin(claims: readonly { readonly figureOrigins?: number | undefined; readonly origins: number }[]): boolean {
  const counted = claims.filter(({ figureOrigins }) => figureOrigins !== undefined);
  return counted.length > 1 && counted.every(({ figureOrigins, origins }) => figureOrigins === 1 && origins <= 1);
}
