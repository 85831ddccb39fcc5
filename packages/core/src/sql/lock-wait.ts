/** How long a statement of a transaction on the host's connections waits for a lock, in milliseconds. */
export const LOCK_WAIT_MS = 10_000;

/**
 * The statement that limits the waits for locks of the open transaction, unless the connection has a
 * limit of its own. PostgreSQL has none by default: a transaction that the host leaves open would
 * hold every request that needs its rows, and with them the connections of the host.
 */
export function limitLockWaits(limitMs: number): string {
  return `select set_config('lock_timeout', '${limitMs}', true)
    where current_setting('lock_timeout') = '0' and current_setting('statement_timeout') = '0'`;
}

/** The statement that removes the time limits of the open transaction; not every version has each of them. */
export const REMOVE_TIME_LIMITS: string = `select set_config(name, '0', true) from pg_settings where name in
  ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
