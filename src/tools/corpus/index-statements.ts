import type Database from "better-sqlite3";

/** Scores a document by its best section plus its title. Texts are joined after sorting, because sorting long rows is slow. */
const MATCH = `
  with section_scores as materialized (
    select rowid as id, bm25(section_terms) as score from section_terms where section_terms match @query
  ), title_scores as materialized (
    select rowid as file_id, bm25(title_terms) as score from title_terms where title_terms match @query
  ), best as (
    select s.file_id, s.id, min(section_scores.score) as score
    from section_scores join sections s on s.id = section_scores.id group by s.file_id
  ), found as materialized (
    select f.id as file_id, best.id as section_id, coalesce(best.score, 0) + coalesce(t.score, 0) as score
    from best full join title_scores t on t.file_id = best.file_id join files f on f.id = coalesce(best.file_id, t.file_id)
    where f.published_at is null or substr(f.published_at, 1, 10) between @from and @to
    order by 3, f.path limit @limit
  )
  select f.path, f.title as name, f.published_at as publishedAt, f.title_words as titleWords, shown.text, shown.words
  from found join files f on f.id = found.file_id
  join sections shown on shown.id = coalesce(found.section_id, (select min(id) from sections where file_id = f.id))
  order by found.score, f.path`;

export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: Database.Database) {
  return {
    marks: database.prepare("select path, size, mtime_ms as mtimeMs, ctime_ms as ctimeMs, sha256 from files"),
    pageAfter: database.prepare(
      `select path, title, language, published_at as publishedAt from files where document is not null and path > ? order by path limit ?`,
    ),
    counted: database.prepare(
      `select count(document) as total, count(failure_code) as failed, min(published_at) as "from", max(published_at) as "to" from files`,
    ),
    languageCounts: database.prepare(
      "select language, count(*) as documents from files where document is not null group by language order by 2 desc, language limit ?",
    ),
    languages: database
      .prepare("select language from files where language is not null group by language order by count(*) desc, language limit ?")
      .pluck(),
    failures: database.prepare(
      "select path, failure_code as code, failure_message as message from files where failure_code is not null order by path",
    ),
    touch: database.prepare("update files set size = @size, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs where path = @path"),
    dropSections: database.prepare(
      "delete from section_terms where rowid in (select s.id from sections s join files f on f.id = s.file_id where f.path = ?)",
    ),
    dropTitle: database.prepare("delete from title_terms where rowid in (select id from files where path = ?)"),
    dropFile: database.prepare("delete from files where path = ?"),
    addFile: database.prepare(
      `insert into files (path, size, mtime_ms, ctime_ms, sha256, title, title_words, title_length, published_at, language, document, failure_code, failure_message)
       values (@path, @size, @mtimeMs, @ctimeMs, @sha256, @title, @titleWords, @titleLength, @publishedAt, @language, @document, @code, @message)`,
    ),
    addSection: database.prepare("insert into sections (file_id, text, words, length) values (?, ?, ?, ?)"),
    addSectionTerms: database.prepare("insert into section_terms (rowid, words) values (?, ?)"),
    addTitleTerms: database.prepare("insert into title_terms (rowid, title) values (?, ?)"),
    match: database.prepare(MATCH),
    hash: database.prepare("select sha256 from files where path = ?").pluck(),
    document: database.prepare("select document from files where path = ?").pluck(),
    counts: database.prepare(
      `select count(*) as documents, coalesce(avg(s.length), 0) as meanBodyLength, coalesce(avg(f.title_length), 0) as meanTitleLength
       from sections s join files f on f.id = s.file_id`,
    ),
    frequency: database
      .prepare(
        "select max(coalesce((select doc from section_vocabulary where term = @term), 0), coalesce((select doc from title_vocabulary where term = @term), 0))",
      )
      .pluck(),
  };
}
