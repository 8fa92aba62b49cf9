import { type Config, serviceSettings } from "../config.ts";
import { readAllowedHosts } from "../network/allowed-hosts.ts";
import { createNetwork, type Network } from "../network/network.ts";
import type { Resolve } from "../network/resolve-names.ts";
import type { TimeLimits } from "../network/time-limits.ts";
import { SOURCES } from "../tools/sources/sources.ts";
import { TOOLS } from "../tools/tools.ts";
import { VERSION } from "./program.ts";

interface NetworkParts {
  readonly resolve?: Resolve;
  readonly timeLimits?: TimeLimits;
}

/** The way outside of all sources and tools, with the addresses that the operator gave them. */
export function openNetwork(config: Config, { resolve, timeLimits }: NetworkParts): Network {
  const contact = config.CONTACT_EMAIL === undefined ? "" : ` (mailto:${config.CONTACT_EMAIL})`;
  const endpoints = [...SOURCES.map(({ endpoint }) => endpoint), ...TOOLS.flatMap((tool) => tool.endpoints)];
  const baseUrls = endpoints.flatMap(({ id }) => {
    const { baseUrl } = serviceSettings(config, id);
    return baseUrl === undefined ? [] : [[id, baseUrl]];
  });
  return createNetwork({
    baseUrls: Object.fromEntries(baseUrls),
    allowedHosts: readAllowedHosts(config.ALLOWED_PRIVATE_HOSTS),
    userAgent: `dossier/${VERSION}${contact}`,
    ...(resolve && { resolve }),
    ...(timeLimits && { limits: timeLimits }),
  });
}
