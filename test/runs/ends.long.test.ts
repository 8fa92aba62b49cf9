import { it } from "vitest";
import { endAtAnyInstant } from "./end-at-any-instant.ts";

it("cancels and drains at many instants without a needless restart, and every recording replays", () => endAtAnyInstant(12));
