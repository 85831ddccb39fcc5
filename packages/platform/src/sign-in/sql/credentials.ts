import type { SealedColumn, SqlSession } from '@probity/core/sql';
import { insertMany, requireSealingKey, sealedColumn } from '@probity/core/sql';
import type { SignInWrites } from '../storage.ts';
import type { MemberKey } from '../types.ts';
import { toPasswordReset, toPasswordResetRow } from './rows.ts';
import type { CredentialsRow, SignInTables } from './tables.ts';

/** The secrets of second factors, by member. */
export function sealedMfaSecrets(session: SqlSession): SealedColumn {
  return sealedColumn(session, 'member_credentials', 'sealed_mfa_secret', 'member_id');
}

/** The tokens of resets that wait to be mailed, by member. */
export function sealedResets(session: SqlSession): SealedColumn {
  return sealedColumn(session, 'password_resets', 'sealed_token', 'member_id');
}

/** Changes of passwords on a SQL session. */
export function createCredentialWrites(
  session: SqlSession,
): Pick<SignInWrites, 'setPasswordHash' | 'recordSignIn'> {
  const db = () => session.kysely<SignInTables>();
  return {
    async setPasswordHash(key, passwordHash) {
      await putCredentials(session, key, { password_hash: passwordHash });
      await db().deleteFrom('password_resets').where('member_id', '=', key.memberId).execute();
    },
    async recordSignIn({ organizationId, memberId }, at) {
      await db()
        .updateTable('members')
        .set({ last_login: at.getTime() })
        .where('organization_id', '=', organizationId)
        .where('id', '=', memberId)
        .execute();
    },
  };
}

async function putCredentials(
  session: SqlSession,
  { organizationId, memberId }: MemberKey,
  changes: Partial<CredentialsRow>,
): Promise<void> {
  const none = { password_hash: null, sealed_mfa_secret: null, mfa_last_step: null };
  await session
    .kysely<SignInTables>()
    .insertInto('member_credentials')
    .values({ member_id: memberId, organization_id: organizationId, ...none, ...changes })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(changes))
    .execute();
}

/** Changes of second factors on a SQL session. */
export function createMfaWrites(
  session: SqlSession,
): Pick<
  SignInWrites,
  | 'setMfaSecret'
  | 'enableMfa'
  | 'disableMfa'
  | 'useMfaStep'
  | 'useRecoveryCode'
  | 'replaceMfaSecret'
> {
  const db = () => session.kysely<SignInTables>();
  const switchMfa = async ({ organizationId, memberId }: MemberKey, isOn: boolean) => {
    const updated = await db()
      .updateTable('members')
      .set({ mfa_enabled: Number(isOn) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', memberId)
      .where('mfa_enabled', '=', Number(!isOn))
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  };
  const forgetCodes = ({ memberId }: MemberKey) =>
    db().deleteFrom('recovery_codes').where('member_id', '=', memberId).execute();
  return {
    replaceMfaSecret: sealedMfaSecrets(session).replace,
    async setMfaSecret(key, sealedSecret) {
      await requireSealingKey(session, sealedSecret);
      await putCredentials(session, key, { sealed_mfa_secret: sealedSecret, mfa_last_step: null });
    },
    async enableMfa(key, sealedSecret, step, recoveryCodeHashes) {
      const { organizationId: organization_id, memberId: member_id } = key;
      const isPending = db()
        .updateTable('member_credentials')
        .set({ mfa_last_step: step })
        .where('member_id', '=', member_id)
        .where('sealed_mfa_secret', '=', sealedSecret)
        .where('mfa_last_step', 'is', null);
      if ((await isPending.executeTakeFirst()).numUpdatedRows === 0n) return false;
      if (!(await switchMfa(key, true))) return false;
      await forgetCodes(key);
      const codes = recoveryCodeHashes.map((code_hash) => ({
        code_hash,
        member_id,
        organization_id,
      }));
      await insertMany(session, 'recovery_codes', codes);
      return true;
    },
    async disableMfa(key) {
      await putCredentials(session, key, { sealed_mfa_secret: null, mfa_last_step: null });
      await switchMfa(key, false);
      await forgetCodes(key);
    },
    async useMfaStep({ organizationId, memberId }, step) {
      const used = await db()
        .updateTable('member_credentials')
        .set({ mfa_last_step: step })
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where((eb) => eb.or([eb('mfa_last_step', 'is', null), eb('mfa_last_step', '<', step)]))
        .executeTakeFirst();
      return used.numUpdatedRows > 0n;
    },
    async useRecoveryCode({ organizationId, memberId }, codeHash) {
      const used = await db()
        .deleteFrom('recovery_codes')
        .where('code_hash', '=', codeHash)
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .executeTakeFirst();
      return used.numDeletedRows > 0n;
    },
  };
}

/** Changes of password resets on a SQL session. */
export function createResetWrites(
  session: SqlSession,
): Pick<
  SignInWrites,
  | 'putPasswordReset'
  | 'takePasswordReset'
  | 'clearSealedReset'
  | 'replaceSealedReset'
  | 'deleteExpiredResets'
> {
  const db = () => session.kysely<SignInTables>();
  return {
    replaceSealedReset: sealedResets(session).replace,
    async putPasswordReset(reset) {
      if (reset.sealedToken) await requireSealingKey(session, reset.sealedToken);
      const { member_id, ...changes } = toPasswordResetRow(reset);
      await db()
        .insertInto('password_resets')
        .values({ member_id, ...changes })
        .onConflict((conflict) => conflict.column('member_id').doUpdateSet(changes))
        .execute();
    },
    async takePasswordReset(tokenHash) {
      const row = await db()
        .deleteFrom('password_resets')
        .where('token_hash', '=', tokenHash)
        .returningAll()
        .executeTakeFirst();
      return row ? toPasswordReset(row) : null;
    },
    async clearSealedReset({ organizationId, memberId }, tokenHash) {
      await db()
        .updateTable('password_resets')
        .set({ sealed_token: null })
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where('token_hash', '=', tokenHash)
        .execute();
    },
    async deleteExpiredResets(before, limit) {
      const expired = db()
        .selectFrom('password_resets')
        .select('member_id')
        .where('expires_at', '<', before.getTime())
        .limit(limit);
      const deleted = await db()
        .deleteFrom('password_resets')
        .where('member_id', 'in', expired)
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}
