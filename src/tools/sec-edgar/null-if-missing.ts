import { DossierError } from "../../errors.ts";

/** Null for what the service says it does not have. */
export async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DossierError && error.code === "not_found") return null;
    throw error;
  }
}
