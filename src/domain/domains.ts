import { z } from "zod";

const NAME = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/** Returns a domain as browsers write it, or null if the text is none. A domain includes all names below it. */
export function parseDomain(text: string): string | null {
  const domain = text.trim().replace(/^\*\./, "").toLowerCase();
  return domain.length <= 253 && NAME.test(domain) && URL.canParse(`http://${domain}/`) ? new URL(`http://${domain}/`).hostname : null;
}

export const DomainsSchema = z
  .array(z.string().refine((text) => parseDomain(text) !== null, "must be a domain such as example.org, without a path"))
  .max(200)
  .transform((domains) => domains.flatMap((domain) => parseDomain(domain) ?? []));

export const DomainRulesSchema = z
  .strictObject({
    allow: DomainsSchema.optional().describe("If given, only results and pages of these domains, and of names below them, are used."),
    deny: DomainsSchema.optional().describe("Results and pages of these domains, and of names below them, are not used."),
  })
  .describe("Which sites may be found and read. The rules of the server apply too.");
export type DomainRules = z.infer<typeof DomainRulesSchema>;

/** Says why no page of this address may be used; null if it may be. An address that is not of the web, such as that of a given file, is under no rule. */
export function refusalOfDomain(rules: readonly DomainRules[], url: string): string | null {
  const { protocol, hostname: named } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  if (!/^https?:$/.test(protocol)) return null;
  const hostname = named.replace(/\.$/, "");
  const isIn = (domains: readonly string[]): boolean => domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  if (rules.some(({ deny = [] }) => isIn(deny))) return `pages of ${hostname} are not to be used`;
  return rules.every(({ allow }) => allow === undefined || isIn(allow))
    ? null
    : `only pages of other domains than ${hostname} are to be used`;
}
