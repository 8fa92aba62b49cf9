/** What version 0.3.7 has done to an empty database, in this order. */
export const OLD_MIGRATIONS: Readonly<Record<string, string>> = {
  // SQLite uses a partial index only if the statement has the same condition, so each status has its index.
  "0001-runs": `
    create table runs (position integer primary key autoincrement, id text not null unique, tenant text not null, thread_id text not null,
      graph text not null, question text not null, request text not null, limits text not null, status text not null,
      attempt integer not null default 0, head integer not null default 0, segment integer not null default 0,
      epoch integer not null default 0, cancel_requested integer not null default 0, idempotency_key text, request_hash text not null,
      created_at integer not null, started_at integer, ended_at integer, termination text, report text, error text);
    create unique index runs_by_key on runs (tenant, idempotency_key) where idempotency_key is not null;
    create index runs_by_thread on runs (tenant, thread_id);
    create index runs_by_tenant on runs (tenant);
    create index runs_queued on runs (position) where status = 'queued';
    create index runs_running on runs (tenant, thread_id) where status = 'running';
    create table segments (run_id text not null, position integer not null, epoch integer not null, input text not null,
      fingerprint text not null, primary key (run_id, position, epoch)) without rowid;
    create table journal (run_id text not null, segment integer not null, epoch integer not null, ord integer not null,
      after integer not null, key text not null, kind text not null, request text not null, ok integer not null, result text not null,
      at integer not null, primary key (run_id, segment, epoch, ord)) without rowid;
    create table events (run_id text not null, seq integer not null, origin text not null, at integer not null,
      path text not null, body text not null, primary key (run_id, seq)) without rowid;
    create unique index events_by_origin on events (run_id, origin);
    create table pending (run_id text not null, id text not null, interrupt_id text not null, body text not null,
      answer text, primary key (run_id, id)) without rowid;
    create table documents (content_hash text primary key, text text not null);
    create table run_documents (run_id text not null, content_hash text not null, details text not null,
      primary key (run_id, content_hash)) without rowid;
    create index run_documents_by_hash on run_documents (content_hash);`,
  "0002-crashes": "alter table runs add column crashes integer not null default 0",
  // The JSON of an event begins with its type, so SQLite parses only component events.
  "0003-components": `
    create index events_components on events (run_id, json_extract(body, '$.component'), seq)
      where substr(body, 1, 20) = '{"type":"component",'`,
  // Runs that read the same page share its details. Earlier rows of run_documents contain the details instead of the key.
  "0004-analyses-and-details": `
    create table analyses (key text primary key, content_hash text not null, data blob not null);
    create index analyses_by_hash on analyses (content_hash);
    create table document_details (key text primary key, content_hash text not null, details text not null);
    create index document_details_by_hash on document_details (content_hash);
    create index run_documents_by_details on run_documents (details);
    create index runs_ended on runs (ended_at, position) where status in ('succeeded', 'failed', 'cancelled');
    create trigger document_deleted after delete on documents begin
      delete from analyses where content_hash = old.content_hash;
      delete from document_details where content_hash = old.content_hash; end;`,
  "0005-crashed-alone": "alter table runs add column crashed_alone integer not null default 0",
  "0006-replies": `
    create table replies (run_id text not null, segment integer not null, key text not null, name text not null,
      part integer not null, parts integer not null, head text not null, body blob not null,
      primary key (run_id, segment, key, name, part))`,
  "0007-thread-material": `
    create table thread_documents (tenant text not null, thread_id text not null, content_hash text not null, details text not null,
      name text not null, bytes integer not null, characters integer not null, added_at integer not null,
      primary key (tenant, thread_id, content_hash));
    create index thread_documents_by_hash on thread_documents (content_hash);
    create index thread_documents_by_details on thread_documents (details);
    create table thread_urls (tenant text not null, thread_id text not null, source_id text not null, url text not null,
      added_at integer not null, primary key (tenant, thread_id, source_id))`,
  // A column of `runs` would come after the report, so that each reading of a title would pass over the report's pages.
  "0008-titles": "create table titles (run_id text primary key, title text not null) without rowid",
  "0009-other-names": `
    create table thread_document_names (tenant text not null, thread_id text not null, content_hash text not null, name text not null,
      primary key (tenant, thread_id, content_hash, name)) without rowid;
    create trigger thread_document_deleted after delete on thread_documents begin
      delete from thread_document_names where tenant = old.tenant and thread_id = old.thread_id and content_hash = old.content_hash; end`,
  // In parts, so that writing a large file does not hold up everything else.
  "0010-thread-originals": `
    create table thread_originals (tenant text not null, thread_id text not null, content_hash text not null, part integer not null,
      media_type text not null, body blob not null, primary key (tenant, thread_id, content_hash, part));
    create trigger thread_original_deleted after delete on thread_documents begin
      delete from thread_originals where tenant = old.tenant and thread_id = old.thread_id and content_hash = old.content_hash; end`,
  // Files of deleted documents, and analyses of earlier versions, are freed in parts.
  "0011-freed-in-parts": `
    drop trigger thread_original_deleted;
    alter table analyses add column version integer not null default 1;
    create index analyses_by_version on analyses (version)`,
  "0012-original-hashes": "alter table thread_documents add column sha256 text not null default ''",
};

/** The tables of LangGraph's saver for SQLite, which version 0.3 used. */
export const OLD_CHECKPOINTS = `
  create table checkpoints (thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null,
    parent_checkpoint_id text, type text, checkpoint blob, metadata blob, primary key (thread_id, checkpoint_ns, checkpoint_id));
  create table writes (thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null, task_id text not null,
    idx integer not null, channel text not null, type text, value blob, primary key (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));`;
