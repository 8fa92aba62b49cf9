import { createContext } from "react";
import { EMPTY_VIEW, type RunView } from "../../view-model/run-view.ts";

/** The view whose steps are shown, for entries that name sources by id. */
export const ShownViewContext = createContext<RunView>(EMPTY_VIEW);
