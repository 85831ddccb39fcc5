import type { SealedValues } from '../sealing/sealed-values.ts';
import type { Database } from '../storage/database.ts';
import { auditRegisterPurpose } from './register.ts';
import { auditKeyPurpose } from './seal.ts';

/** What audit logs are sealed with, for rotation of the encryption key: their keys and the register. */
export function sealedAuditValues(database: Database): readonly SealedValues[] {
  return [sealedAuditKeys(database), sealedAuditRecords(database)];
}

function sealedAuditRecords(database: Database): SealedValues {
  return {
    name: 'audit_records',
    purposeOf: auditRegisterPurpose,
    list: database.kernel(database.reader).listSealedAuditRecords,
    replace: (values) =>
      database.transaction(async (session) => {
        const tx = database.kernel(session);
        for (const value of values) await tx.replaceSealedAuditRecord(value);
      }),
  };
}

function sealedAuditKeys(database: Database): SealedValues {
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
