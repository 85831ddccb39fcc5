import type { SealedValues } from '../sealing/sealed-values.ts';
import type { Database } from '../storage/database.ts';
import { auditKeyPurpose } from './seal.ts';

/** The sealed keys of audit logs, for rotation of the encryption key. */
export function sealedAuditKeys(database: Database): SealedValues {
  const reads = database.kernel(database.reader);
  return {
    name: 'audit_keys',
    purposeOf: auditKeyPurpose,
    list: reads.listSealedAuditKeys,
    replace: (values) =>
      database.transaction(async (session) => {
        const tx = database.kernel(session);
        for (const value of values) await tx.replaceSealedAuditKey(value);
      }),
  };
}
