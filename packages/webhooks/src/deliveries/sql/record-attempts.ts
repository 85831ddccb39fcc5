import type { SqlSession } from '@probity/core/sql';
import { isAmong, prepareQuery, prepareSql } from '@probity/core/sql';
import { sql } from 'kysely';
import type { DeliveryRow } from '../rows.ts';
import { HELD, toDeliveryRow } from '../rows.ts';
import type { AttemptRecord } from '../storage.ts';

interface RecordTables {
  probity_webhook_deliveries: DeliveryRow & { last_request: string | null };
}

type AttemptState = Pick<
  DeliveryRow,
  'id' | 'status' | 'attempts' | 'attempt_count' | 'first_attempt_at' | 'next_attempt_at'
> & {
  /** JSON of the request; null keeps the stored one. */
  last_request: string | null;
};

const updateWhere = (expected: 'pending' | 'held') =>
  prepareQuery<RecordTables, AttemptState, { id: string }>((db, value) =>
    db
      .updateTable('probity_webhook_deliveries')
      .set({
        status: value('status'),
        attempts: value('attempts'),
        attempt_count: value('attempt_count'),
        first_attempt_at: value('first_attempt_at'),
        next_attempt_at: value('next_attempt_at'),
        last_request: sql<string | null>`coalesce(${value('last_request')}, last_request)`,
      })
      .where('id', '=', value('id'))
      .where('status', '=', expected)
      .returning('id'),
  );

const updatePending = updateWhere('pending');
const updateHeld = updateWhere('held');

/**
 * Does the same for many at once, where a statement is a round trip. It finds them by their ids alone: by their status,
 * as an expression that no index has, or by the states, PostgreSQL may read all that are pending.
 */
const updateAllPending = prepareSql<{ states: string; ids: string }, { id: string }>(
  (value, dialect) => sql`
    update probity_webhook_deliveries as stored
    set status = given.status, attempts = given.attempts, attempt_count = given.attempt_count,
      first_attempt_at = given.first_attempt_at, next_attempt_at = given.next_attempt_at,
      last_request = coalesce(given.last_request, stored.last_request)
    from json_to_recordset(cast(${value('states')} as json)) as given (
      id text, status text, attempts text, attempt_count integer,
      first_attempt_at bigint, next_attempt_at bigint, last_request text)
    where stored.id = given.id and ${isAmong(dialect, 'stored.id', value('ids'))}
      and stored.status || '' = 'pending' returning stored.id`,
);

/** Stores those that are stored as pending; returns their ids. */
async function recordPending(
  session: SqlSession,
  states: readonly AttemptState[],
): Promise<string[]> {
  if (session.dialect === 'postgres') {
    const ids = JSON.stringify(states.map(({ id }) => id));
    const rows = await updateAllPending(session, { states: JSON.stringify(states), ids });
    return rows.map(({ id }) => id);
  }
  const stored: string[] = [];
  for (const state of states) {
    for (const { id } of await updatePending(session, state)) stored.push(id);
  }
  return stored;
}

/** Stores deliveries after an attempt that are pending, or held since; returns their ids. */
export async function recordAttempts(
  session: SqlSession,
  records: readonly AttemptRecord[],
): Promise<string[]> {
  const states = records.map(toAttemptState);
  const stored = new Set(await recordPending(session, states));
  for (const state of states) {
    if (stored.has(state.id)) continue;
    const held = state.status === 'pending' ? { ...state, ...HELD } : state;
    for (const { id } of await updateHeld(session, held)) stored.add(id);
  }
  return [...stored];
}

function toAttemptState({ delivery, request }: AttemptRecord): AttemptState {
  const { id, status, attempts, attempt_count, first_attempt_at, next_attempt_at } =
    toDeliveryRow(delivery);
  const state = { id, status, attempts, attempt_count, first_attempt_at, next_attempt_at };
  return { ...state, last_request: request && JSON.stringify(request) };
}
