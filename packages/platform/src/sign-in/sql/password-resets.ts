import type { SealedColumn, SqlSession } from '@probity/core/sql';
import { deleteBatch, prepareUpsert, requireSealingKey, sealedColumn } from '@probity/core/sql';
import type { PasswordResetReads, PasswordResetWrites } from '../storage.ts';
import { toPasswordReset, toPasswordResetRow } from './rows.ts';
import type { PasswordResetRow, SignInTables } from './tables.ts';

const putReset = prepareUpsert<PasswordResetRow>(
  'probity_password_resets',
  ['member_id', 'organization_id', 'token_hash', 'sealed_token', 'created_at', 'expires_at'],
  ['member_id'],
);

/** The sealed tokens of resets not mailed yet, by member. */
function sealedTokens(session: SqlSession): SealedColumn {
  return sealedColumn(session, 'probity_password_resets', 'sealed_token', 'member_id');
}

/** Creates the SQL storage for password resets. */
export function createSqlPasswordResets(
  session: SqlSession,
): PasswordResetReads & PasswordResetWrites {
  return { ...createReads(session), ...createWrites(session) };
}

function createReads(session: SqlSession): PasswordResetReads {
  const resets = () =>
    session.kysely<SignInTables>().selectFrom('probity_password_resets').selectAll();
  return {
    listSealedResets: (...range) => sealedTokens(session).list(...range),
    async findPasswordReset({ organizationId, memberId }) {
      const row = await resets()
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .executeTakeFirst();
      return row ? toPasswordReset(row) : null;
    },
    async findPasswordResetByToken(tokenHash) {
      const row = await resets().where('token_hash', '=', tokenHash).executeTakeFirst();
      return row ? toPasswordReset(row) : null;
    },
  };
}

function createWrites(session: SqlSession): PasswordResetWrites {
  const db = () => session.kysely<SignInTables>();
  return {
    replaceSealedReset: (value) => sealedTokens(session).replace(value),
    async putPasswordReset(reset) {
      if (reset.sealedToken) await requireSealingKey(session, reset.sealedToken);
      await putReset(session, toPasswordResetRow(reset));
    },
    async takePasswordReset(tokenHash) {
      const row = await db()
        .deleteFrom('probity_password_resets')
        .where('token_hash', '=', tokenHash)
        .returningAll()
        .executeTakeFirst();
      return row ? toPasswordReset(row) : null;
    },
    async clearSealedReset({ organizationId, memberId }, tokenHash) {
      await db()
        .updateTable('probity_password_resets')
        .set({ sealed_token: null })
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where('token_hash', '=', tokenHash)
        .execute();
    },
    deleteExpiredResets(before, limit) {
      const expired = db()
        .selectFrom('probity_password_resets')
        .select('member_id')
        .where('expires_at', '<', before.getTime())
        .limit(limit);
      return deleteBatch(session, 'probity_password_resets', 'member_id', expired);
    },
  };
}
