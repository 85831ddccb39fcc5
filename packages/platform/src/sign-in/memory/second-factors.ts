import type { MemorySession } from '@probity/core';
import { listSealed } from '@probity/core/internal';
import type { SecondFactorReads, SecondFactorWrites } from '../storage.ts';
import type { MemberKey } from '../types.ts';
import { isOf, memberOf, putCredentials, putMember, tablesOf, toSealed } from './tables.ts';

/** Creates the in-memory storage for second factors. */
export function createMemorySecondFactors(
  session: MemorySession,
): SecondFactorReads & SecondFactorWrites {
  const { credentials, codes } = tablesOf(session);
  const forgetCodes = (key: MemberKey) => codes().deleteWhere((row) => isOf(row, key));
  const putCodes = (key: MemberKey, hashes: readonly string[]) => {
    forgetCodes(key);
    for (const codeHash of hashes) codes().put(codeHash, { ...key, codeHash });
  };
  return {
    countRecoveryCodes: async (key) => codes().filter((row) => isOf(row, key)).length,
    listSealedMfaSecrets: async (...range) =>
      listSealed(
        credentials()
          .filter(() => true)
          .flatMap(({ memberId, sealedMfaSecret }) => toSealed(memberId, sealedMfaSecret)),
        ...range,
      ),
    async setMfaSecret(key, sealedMfaSecret) {
      putCredentials(session, key, { sealedMfaSecret, mfaLastStep: null });
    },
    async enableMfa({ organizationId, memberId }, sealedSecret, step, recoveryCodeHashes) {
      const key = { organizationId, memberId };
      const isPending = credentials().get(memberId)?.sealedMfaSecret === sealedSecret;
      if (!isPending || memberOf(session, key)?.mfaEnabled !== false) return false;
      putCredentials(session, key, { mfaLastStep: step });
      putMember(session, key, { mfaEnabled: true });
      putCodes(key, recoveryCodeHashes);
      return true;
    },
    async replaceRecoveryCodes({ organizationId, memberId }, recoveryCodeHashes) {
      const key = { organizationId, memberId };
      if (!memberOf(session, key)?.mfaEnabled) return false;
      putCodes(key, recoveryCodeHashes);
      return true;
    },
    async disableMfa(key) {
      putCredentials(session, key, { sealedMfaSecret: null, mfaLastStep: null });
      putMember(session, key, { mfaEnabled: false });
      forgetCodes(key);
    },
    async replaceMfaSecret({ id, from, to }) {
      const stored = credentials().get(id);
      if (stored?.sealedMfaSecret !== from) return;
      credentials().put(id, { ...stored, sealedMfaSecret: to });
    },
    async useMfaStep(key, step) {
      const last = credentials().get(key.memberId)?.mfaLastStep;
      if (last === undefined || (last !== null && last >= step)) return false;
      putCredentials(session, key, { mfaLastStep: step });
      return true;
    },
    async useRecoveryCode(key, codeHash) {
      const stored = codes().get(codeHash);
      return stored !== undefined && isOf(stored, key) && codes().delete(codeHash);
    },
  };
}
