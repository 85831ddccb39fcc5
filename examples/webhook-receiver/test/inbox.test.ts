import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder, until } from '@probity/test-support';
import type { WebhookEvent } from '@probity/webhooks/verify';
import { createInbox } from '../src/inbox.ts';

/** The repository compiles better-sqlite3, which receivers install for their own Node, for Node 20. */
const runs = process.versions.node.startsWith('20.');

function eventOf(id: string): WebhookEvent {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const data = { certificationId: 'crt_1', reason: 'The content was wrong' };
  return { id, type: 'certification.revoked', timestamp, data };
}

if (runs) {
  const { default: Database } = await import('better-sqlite3');

  test('an event that arrives three times is worked on once', async () => {
    const done: WebhookEvent[] = [];
    const inbox = createInbox(new Database(':memory:'), async (event) => void done.push(event));
    for (let time = 0; time < 3; time += 1) inbox.add(eventOf('evt_1'));
    await until(() => done.length > 0, 'the event is worked on');
    inbox.add(eventOf('evt_1'));
    await inbox.work();
    assert.deepEqual(done, [eventOf('evt_1')]);
  });

  test('an event whose work failed, or was interrupted, is worked on by the next process', async (t) => {
    const file = join(temporaryFolder(t).path, 'inbox.db');
    const db = new Database(file);
    const errors = t.mock.method(console, 'error', () => undefined);
    const first = createInbox(db, ({ id }) => {
      if (id === 'evt_2') throw new Error('The other system does not answer');
      return Promise.resolve();
    });
    for (const id of ['evt_1', 'evt_2', 'evt_3']) first.add(eventOf(id));
    await new Promise(setImmediate); // the work that add started
    await first.work();
    assert.ok(errors.mock.callCount() > 0);
    db.close();

    const ids: string[] = [];
    const again = new Database(file);
    await createInbox(again, async ({ id }) => void ids.push(id)).work();
    assert.deepEqual(ids, ['evt_2']);
    again.close();
  });
}
