import type { ChainPlace } from '../crypto/hash-chain.ts';
import type { AuditHead, AuditSeal, AuditSealer } from './seal.ts';

/**
 * The register of keyed logs: one sealed record for each, and one with their number, in rows of their
 * own. With them a log whose entries, head or seal were removed is known, and the next entry does not
 * make it look whole.
 */

/** What the register has on a log. */
export interface AuditLogRecord {
  readonly organizationId: string;
  /** The first entry recorded under the log's present key. */
  readonly keyedFrom: number;
  /** The first entry recorded after the log was found without the seal that it had; else null. */
  readonly brokenAt: number | null;
}

/** The record on all logs. */
export interface AuditRegisterSize {
  /** The number of records of logs ever made. */
  readonly logs: number;
  /** Whether this record was missing, or could not be opened, when a log was added. */
  readonly wasLost: boolean;
}

/** A row of the register. */
export interface AuditRegisterRow {
  readonly id: string;
  /** The organization; null when it was removed, and for the record on all logs. */
  readonly organizationId: string | null;
  readonly sealed: string;
}

/** Id of the row that holds the {@link AuditRegisterSize}. */
export const REGISTER_SIZE_ID = 'size';

/** The purpose that a row of the register is sealed for. */
export function auditRegisterPurpose(id: string): string {
  return `audit-register:${id}`;
}

/** The rows of the register, in the transaction that records an entry. */
export interface AuditRegisterRows {
  find(organizationId: string): Promise<AuditRegisterRow | null>;
  /** Locks the row with the size; its sealed text, empty when it was missing. */
  lockSize(): Promise<string>;
  /** The number of records, and whether another log has a seal. */
  countOthers(organizationId: string): Promise<{ records: number; hasSeals: boolean }>;
  put(row: AuditRegisterRow): Promise<void>;
}

/**
 * The seal of the entry that follows `previous`. A log that had a seal and has none now gets a new one,
 * and the register says from then on that it is not proven before this entry.
 *
 * @throws ProbityError `unavailable` when the log's key cannot be opened
 */
export async function sealEntry(
  register: AuditRegisterRows,
  sealer: AuditSealer,
  organizationId: string,
  previous: AuditHead | null,
  next: ChainPlace,
): Promise<AuditSeal> {
  const seal = sealer.sealHead(organizationId, previous, next);
  if (previous?.seal) return seal;
  const { keyedFrom } = seal;
  const found = await register.find(organizationId);
  if (!found) {
    await addRecord(register, sealer, { organizationId, keyedFrom, brokenAt: null });
    return seal;
  }
  const former = sealer.openRecord(found);
  const brokenAt = former?.brokenAt ?? next.sequence;
  const sealed = sealer.sealRecord(found.id, { organizationId, keyedFrom, brokenAt });
  await register.put({ ...found, sealed });
  sealer.onBroken(organizationId, next.sequence);
  return seal;
}

async function addRecord(
  register: AuditRegisterRows,
  sealer: AuditSealer,
  record: AuditLogRecord,
): Promise<void> {
  const { organizationId } = record;
  const stored = await register.lockSize();
  let size = stored === '' ? null : sealer.openSize(stored);
  if (!size) {
    const { records, hasSeals } = await register.countOthers(organizationId);
    const wasLost = stored !== '' || records > 0 || hasSeals;
    size = { logs: records, wasLost };
    if (wasLost) sealer.onBroken(null, null);
  }
  const id = sealer.newRecordId();
  await register.put({ id, organizationId, sealed: sealer.sealRecord(id, record) });
  const grown = sealer.sealSize({ ...size, logs: size.logs + 1 });
  await register.put({ id: REGISTER_SIZE_ID, organizationId: null, sealed: grown });
}
