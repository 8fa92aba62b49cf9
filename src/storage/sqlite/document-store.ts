import type Database from "better-sqlite3";
import { contentHashOf, type ExtractedDocument, type StoredDocument } from "../../domain/document.ts";
import type { DocumentStore } from "../../domain/ports/document-store.ts";
import { DossierError } from "../../errors.ts";
import type { WriteQueue } from "./write-queue.ts";

/** The document store in the data folder's database. */
export class SqliteDocumentStore implements DocumentStore {
  readonly #queue: WriteQueue;
  readonly #insert: Database.Statement;
  readonly #use: Database.Statement;
  readonly #select: Database.Statement;

  constructor(database: Database.Database, queue: WriteQueue) {
    this.#queue = queue;
    this.#insert = database.prepare("insert or ignore into documents (content_hash, text, details) values (?, ?, ?)");
    this.#use = database.prepare("insert or ignore into run_documents (run_id, content_hash) values (?, ?)");
    this.#select = database.prepare("select text, details from documents where content_hash = ?");
  }

  async put(runId: string, document: ExtractedDocument): Promise<StoredDocument> {
    const { text, ...details } = document;
    const contentHash = contentHashOf(text);
    await this.#queue.run(() => {
      this.#insert.run(contentHash, text, JSON.stringify(details));
      this.#use.run(runId, contentHash);
    });
    return this.get(contentHash);
  }

  async get(contentHash: string): Promise<StoredDocument> {
    const row = this.#select.get(contentHash) as { text: string; details: string } | undefined;
    if (row === undefined) throw new DossierError("not_found", `There is no document ${contentHash}.`);
    return { ...JSON.parse(row.details), text: row.text, contentHash };
  }
}
