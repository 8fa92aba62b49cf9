import { DossierError } from "../errors.ts";

export function damaged(why: string, cause?: unknown): DossierError {
  const remedy = "The service stops. Move the data folder away and restore a backup: npm run restore -- FILE.";
  return new DossierError("storage_damaged", `The database is damaged (${why}). ${remedy}`, { cause });
}
