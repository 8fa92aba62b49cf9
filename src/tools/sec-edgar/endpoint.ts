import type { Endpoint } from "../../domain/ports/sources.ts";

/** The tool's name, by which a run's scope names it. */
export const SEC_EDGAR_SEARCH = "sec_edgar_search";

/** At most 10 requests a second, from whoever says who it is: https://www.sec.gov/os/accessing-edgar-data. */
export const SEC_EDGAR: Endpoint = {
  id: "sec_edgar",
  owner: SEC_EDGAR_SEARCH,
  hosts: ["www.sec.gov", "data.sec.gov", "efts.sec.gov"],
  rate: { requests: 10, perMs: 1_000, concurrent: 4 },
};
