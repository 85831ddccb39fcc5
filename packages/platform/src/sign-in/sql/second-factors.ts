import type { SealedColumn, SqlSession } from '@probity/core/sql';
import {
  countChanges,
  countRows,
  forUpdate,
  insertMany,
  requireSealingKey,
  sealedColumn,
} from '@probity/core/sql';
import type { MemberTables } from '../../members/sql/tables.ts';
import type { SecondFactorReads, SecondFactorWrites } from '../storage.ts';
import type { MemberKey } from '../types.ts';
import { putCredentials } from './accounts.ts';
import type { SignInTables } from './tables.ts';

/** The sealed secrets of second factors, by member. */
function sealedSecrets(session: SqlSession): SealedColumn {
  return sealedColumn(session, 'probity_member_credentials', 'sealed_mfa_secret', 'member_id');
}

/** Creates the SQL storage for second factors. */
export function createSqlSecondFactors(
  session: SqlSession,
): SecondFactorReads & SecondFactorWrites {
  return { ...createReads(session), ...createWrites(session) };
}

function createReads(session: SqlSession): SecondFactorReads {
  return {
    listSealedMfaSecrets: (...range) => sealedSecrets(session).list(...range),
    countRecoveryCodes: ({ organizationId, memberId }) =>
      countRows(
        session
          .kysely<SignInTables>()
          .selectFrom('probity_recovery_codes')
          .where('organization_id', '=', organizationId)
          .where('member_id', '=', memberId),
      ),
  };
}

function createWrites(session: SqlSession): SecondFactorWrites {
  const db = () => session.kysely<SignInTables & MemberTables>();
  const switchMfa = async ({ organizationId, memberId }: MemberKey, isOn: boolean) => {
    const change = db()
      .updateTable('probity_members')
      .set({ mfa_enabled: Number(isOn) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', memberId)
      .where('mfa_enabled', '=', Number(!isOn));
    return (await countChanges(change)) > 0;
  };
  const forgetCodes = ({ memberId }: MemberKey) =>
    db().deleteFrom('probity_recovery_codes').where('member_id', '=', memberId).execute();
  const putCodes = async (key: MemberKey, hashes: readonly string[]) => {
    await forgetCodes(key);
    const { organizationId: organization_id, memberId: member_id } = key;
    const codes = hashes.map((code_hash) => ({ code_hash, member_id, organization_id }));
    await insertMany(session, 'probity_recovery_codes', codes);
  };
  return {
    replaceMfaSecret: (value) => sealedSecrets(session).replace(value),
    async setMfaSecret(key, sealedSecret) {
      await requireSealingKey(session, sealedSecret);
      await putCredentials(session, key, { sealed_mfa_secret: sealedSecret, mfa_last_step: null });
    },
    async enableMfa(key, sealedSecret, step, recoveryCodeHashes) {
      const isPending = db()
        .updateTable('probity_member_credentials')
        .set({ mfa_last_step: step })
        .where('member_id', '=', key.memberId)
        .where('sealed_mfa_secret', '=', sealedSecret)
        .where('mfa_last_step', 'is', null);
      if ((await countChanges(isPending)) === 0) return false;
      if (!(await switchMfa(key, true))) return false;
      await putCodes(key, recoveryCodeHashes);
      return true;
    },
    async replaceRecoveryCodes(key, recoveryCodeHashes) {
      // Locks the member, so that of concurrent replacements one set of codes remains.
      const own = db()
        .selectFrom('probity_members')
        .select('mfa_enabled')
        .where('organization_id', '=', key.organizationId)
        .where('id', '=', key.memberId);
      const member = await forUpdate(session.dialect, own).executeTakeFirst();
      if (!member?.mfa_enabled) return false;
      await putCodes(key, recoveryCodeHashes);
      return true;
    },
    async disableMfa(key) {
      await putCredentials(session, key, { sealed_mfa_secret: null, mfa_last_step: null });
      await switchMfa(key, false);
      await forgetCodes(key);
    },
    async useMfaStep({ organizationId, memberId }, step) {
      const use = db()
        .updateTable('probity_member_credentials')
        .set({ mfa_last_step: step })
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where((eb) => eb.or([eb('mfa_last_step', 'is', null), eb('mfa_last_step', '<', step)]));
      return (await countChanges(use)) > 0;
    },
    async useRecoveryCode({ organizationId, memberId }, codeHash) {
      const use = db()
        .deleteFrom('probity_recovery_codes')
        .where('code_hash', '=', codeHash)
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId);
      return (await countChanges(use)) > 0;
    },
  };
}
