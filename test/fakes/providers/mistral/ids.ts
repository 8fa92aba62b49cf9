import { createHash } from "node:crypto";

const ID = /^[a-zA-Z0-9]{9}$/;

/** Whether a call may have this id. */
export const isCallId = (id: string): boolean => ID.test(id);

/** Returns the scripted id if it may be one, otherwise nine characters made from it. */
export const callIdOf = (id: string): string => (isCallId(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9));
