import type { WebhookEvent } from '@probity/webhooks/verify';
import type { Database } from 'better-sqlite3';

/** Stores each event once, so that a receiver can answer before the work is done. */
export interface Inbox {
  /** Stores an event, unless its id is stored already, and starts the work on it. */
  add(event: WebhookEvent): void;
  /** Works on what is stored and not done, oldest first: when the program starts, and in intervals. */
  work(): Promise<void>;
}

/**
 * An inbox in a table of SQLite.
 * @param handle the work; an event for which it fails is kept for the next call of `work`
 */
export function createInbox(db: Database, handle: (event: WebhookEvent) => Promise<void>): Inbox {
  db.exec(`create table if not exists received_events (
    id text primary key, -- the same event can arrive more than once
    event text not null,
    done integer not null default 0
  )`);
  const insert = db.prepare(
    'insert into received_events (id, event) values (?, ?) on conflict do nothing',
  );
  const open = db.prepare<[], { id: string; event: string }>(
    'select id, event from received_events where done = 0 order by rowid',
  );
  const finish = db.prepare('update received_events set done = 1 where id = ?');
  let running: Promise<void> = Promise.resolve();

  async function workOnAll(): Promise<void> {
    for (const { id, event } of open.all()) {
      try {
        await handle(JSON.parse(event));
        finish.run(id);
      } catch (error) {
        console.error(error);
      }
    }
  }
  function work(): Promise<void> {
    running = running.catch(() => undefined).then(workOnAll); // one at a time
    return running;
  }
  return {
    add(event) {
      const { changes } = insert.run(event.id, JSON.stringify(event));
      if (changes > 0) setImmediate(() => work().catch(console.error));
    },
    work,
  };
}
