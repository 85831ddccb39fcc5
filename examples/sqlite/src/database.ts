import Database from 'better-sqlite3';

/** A row of the host: an answer that its model gave, and Probity's scan of it. */
export interface Answer {
  readonly company: string;
  readonly text: string;
  readonly scan_id: string;
}

/** The host's connection to the file, which has the host's table. */
export function openDatabase(path: string): Database.Database {
  const db = new Database(path);
  db.pragma('journal_mode = WAL'); // as Probity sets it
  db.exec('create table if not exists answers (company text, text text, scan_id text)');
  return db;
}

/** Stores an answer. */
export function addAnswer(db: Database.Database, { company, text, scan_id }: Answer): void {
  db.prepare('insert into answers values (?, ?, ?)').run(company, text, scan_id);
}

/** The answers of a company, in the order of their arrival. */
export function answersOf(db: Database.Database, company: string): Answer[] {
  return db
    .prepare<[string], Answer>('select * from answers where company = ? order by rowid')
    .all(company);
}
