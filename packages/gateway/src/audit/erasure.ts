import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditStore } from './store.ts';
import type { AuditWriter } from './writer.ts';

const BATCH_ROWS = 1_000;

/**
 * Deletes every scan of a user, those that wait to be written included.
 *
 * @param forms the forms in which the id may have been stored
 * @returns how many rows were deleted
 * @throws Error when the database does not answer
 */
export async function eraseUser(
  store: Pick<AuditStore, 'deleteUser'>,
  writer: Pick<AuditWriter, 'forget'>,
  forms: readonly string[],
): Promise<number> {
  let deleted = await writer.forget(
    (row) => row.kind === 'scan' && forms.includes(row.userId ?? ''),
  );
  for (;;) {
    const batch = await store.deleteUser(forms, BATCH_ROWS);
    deleted += batch;
    if (batch < BATCH_ROWS) return deleted;
    await nextTurn();
  }
}
