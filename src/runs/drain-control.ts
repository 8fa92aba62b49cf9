import { RunControl } from "@langchain/langgraph";

/** A request to stop at the end of the step which can be taken back until then. LangGraph reads it between two steps. */
export class DrainControl extends RunControl {
  wanted = false;

  override get drainRequested(): boolean {
    return this.wanted;
  }
}
