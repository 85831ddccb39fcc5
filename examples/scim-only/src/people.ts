import type { Database } from 'better-sqlite3';
import Sqlite from 'better-sqlite3';
import type { Express } from 'express';
import express from 'express';

/** The application before SCIM: people of companies, and a page that those who may sign in see. */
export function createPeople(file: string): { app: Express; db: Database } {
  const db = new Sqlite(file);
  db.exec(`create table if not exists people (
    id text primary key, company text not null, email text not null collate nocase,
    name text, disabled integer not null default 0, profile text, unique (company, email))`);
  const app = express();
  app.get('/people/:email', (request, response) => {
    const find = db.prepare('select name from people where email = ? and disabled = 0');
    const person = find.get(request.params.email);
    if (person) response.json(person);
    else response.sendStatus(403);
  });
  return { app, db };
}
