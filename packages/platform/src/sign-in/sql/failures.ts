import type { SqlSession } from '@probity/core/sql';
import { deleteBatch, forUpdate, prepareUpsert } from '@probity/core/sql';
import type { SignInFailureReads, SignInFailureWrites } from '../storage.ts';
import { toFailures, toFailuresRow } from './rows.ts';
import type { FailuresRow, SignInTables } from './tables.ts';

const putFailures = prepareUpsert<FailuresRow>(
  'probity_sign_in_failures',
  ['subject', 'failures', 'last_failed_at', 'locked_until'],
  ['subject'],
);

/** Creates the SQL storage for sign-in failures. */
export function createSqlSignInFailures(
  session: SqlSession,
): SignInFailureReads & SignInFailureWrites {
  const db = () => session.kysely<SignInTables>();
  const failuresOf = (subject: string) =>
    db().selectFrom('probity_sign_in_failures').selectAll().where('subject', '=', subject);
  return {
    async findSignInFailures(subject) {
      const row = await failuresOf(subject).executeTakeFirst();
      return row ? toFailures(row) : null;
    },
    async openSignInFailures(subject, now) {
      const none = { failures: 0, lastFailedAt: now, lockedUntil: null };
      await db()
        .insertInto('probity_sign_in_failures')
        .values(toFailuresRow(subject, none))
        .onConflict((conflict) => conflict.column('subject').doNothing())
        .execute();
      const row = await forUpdate(session.dialect, failuresOf(subject)).executeTakeFirst();
      return row ? toFailures(row) : none;
    },
    storeSignInFailures: (subject, failures) =>
      putFailures(session, toFailuresRow(subject, failures)),
    deleteOldSignInFailures(before, limit) {
      const old = db()
        .selectFrom('probity_sign_in_failures')
        .select('subject')
        .where('last_failed_at', '<', before.getTime())
        .limit(limit);
      return deleteBatch(session, 'probity_sign_in_failures', 'subject', old);
    },
  };
}
