// Writes events with eight transactions at a time until it is killed; prints each once its commit
// has been answered.
import { createIds } from '../../src/ids.ts';
import { newEvent } from '../../src/testing/records.ts';
import { openDatabase } from './database.ts';

const database = openDatabase(process.argv[2] ?? '');
const organizationId = process.argv[3] ?? '';
const ids = createIds();

async function write(): Promise<never> {
  for (;;) {
    const pair = [newEvent(organizationId), newEvent(organizationId)] as const;
    const mark = ids.next('job');
    await database.transaction(async (session) => {
      const { outbox, enqueueJobs } = database.kernel(session);
      await outbox.append({ ...pair[0], requestId: mark });
      await outbox.append({ ...pair[1], requestId: mark });
      await enqueueJobs([
        {
          id: mark,
          queue: 'ledger',
          tenantId: null,
          group: '',
          payload: {},
          dueAt: pair[0].createdAt,
        },
      ]);
    });
    process.stdout.write(`${JSON.stringify({ mark })}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
