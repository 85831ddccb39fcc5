import type { CallContext } from '../context.ts';
import type { ChainFault, ChainPlace } from '../crypto/hash-chain.ts';
import { verifyChain } from '../crypto/hash-chain.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Page, PageOf } from '../paging.ts';
import type { Database } from '../storage/database.ts';
import { hashEntry } from './chain.ts';
import type { AuditRegisterRow, AuditRegisterSize } from './register.ts';
import { REGISTER_SIZE_ID } from './register.ts';
import type { AuditCheckpoint, AuditHead } from './seal.ts';
import { createAuditSealer } from './seal.ts';
import type { AuditEntry, AuditFilter } from './types.ts';

/** Reads the audit log of an organization: each change with its actor. */
export interface AuditLog {
  /** Matching entries, newest first. */
  list(context: CallContext, filter: AuditFilter, page: Page): Promise<PageOf<AuditEntry>>;
}

/** Result of verifying an organization's chain. */
export interface AuditVerification {
  readonly organizationId: string;
  /** Number of entries verified before the fault, or of all entries. */
  readonly entries: number;
  /** Null when the chain is intact. */
  readonly fault: AuditFault | null;
  /**
   * The first entry from which on the log was recorded under its key: a later change, a recomputed
   * chain and a cut end are found. Null where all entries are only a hash chain, and where no secret
   * box was passed.
   */
  readonly keyedFrom: number | null;
  /** The last entry: a copy kept elsewhere proves later that the log was not put back; or null. */
  readonly end: ChainPlace | null;
}

/**
 * Position and kind of a fault; `unsealed`: the chain does not end as it was sealed, `lost`: the log had
 * lost its seal when this entry was recorded, so the entries before it are consistent but not proven.
 */
interface AuditFault {
  readonly sequence: number;
  readonly reason: ChainFault['reason'] | 'unsealed' | 'lost';
}

/** Creates the audit log service. */
export function createAuditLog(database: Database): AuditLog {
  const reads = database.kernel(database.reader);
  return {
    list: ({ principal }, filter, page) =>
      reads.listAuditEntries(principal.organizationId, filter, page),
  };
}

/**
 * Verifies an organization's chain: see {@link verifyChain}. A chain without entries is broken: the
 * entry that records the creation of the organization is missing. With a secret box, the seals of
 * the chain's end and of its checkpoint are verified too.
 */
export async function verifyAuditChain(
  database: Database,
  organizationId: string,
  secretBox?: SecretBox,
): Promise<AuditVerification> {
  const reads = database.kernel(database.reader);
  // Before the head: the register has a log with its first seal, in one transaction.
  const record = await reads.findAuditRecord(organizationId);
  let head: AuditHead | null = null;
  let checkpoint: AuditCheckpoint | null = null;
  const { links: entries, fault } = await verifyChain<AuditEntry>({
    async findCheckpoint() {
      checkpoint = await reads.findAuditCheckpoint(organizationId);
      return checkpoint;
    },
    async findHead() {
      head = await reads.findAuditHead(organizationId);
      return head;
    },
    readLinks: (sequence, limit) => reads.readAuditChain(organizationId, sequence, limit),
    hashLink: hashEntry,
    mayBeEmpty: false,
  });
  const base = { organizationId, entries, fault, keyedFrom: null, end: placeOf(head) };
  if (fault || !secretBox) return base;
  return { ...base, ...verifySeals(secretBox, organizationId, { head, checkpoint, record }) };
}

function placeOf(head: ChainPlace | null): ChainPlace | null {
  return head && { sequence: head.sequence, hash: head.hash };
}

interface Sealed {
  readonly head: AuditHead | null;
  readonly checkpoint: AuditCheckpoint | null;
  readonly record: AuditRegisterRow | null;
}

function verifySeals(
  secretBox: SecretBox,
  organizationId: string,
  { head, checkpoint, record }: Sealed,
): Pick<AuditVerification, 'fault' | 'keyedFrom'> {
  if (!record && !head?.seal) return { fault: null, keyedFrom: null };
  const sealer = createAuditSealer(secretBox);
  const unsealed = {
    fault: { sequence: head?.sequence ?? 1, reason: 'unsealed' },
    keyedFrom: null,
  } as const;
  if (!head?.seal || !sealer.isValid(organizationId, head, checkpoint)) return unsealed;
  const { keyedFrom } = head.seal;
  if (!record) return { fault: null, keyedFrom };
  const known = sealer.openRecord(record);
  if (known?.organizationId !== organizationId || known.keyedFrom !== keyedFrom) return unsealed;
  if (known.brokenAt === null) return { fault: null, keyedFrom };
  return { fault: { sequence: known.brokenAt, reason: 'lost' }, keyedFrom };
}

/** Result of verifying the register of keyed logs. */
export interface AuditRegisterVerification {
  /** What is wrong with it, one text for each fault; none when it is intact. */
  readonly faults: readonly string[];
}

const RECORDS_PER_LOOK = 500;

/**
 * Verifies the register, in which every log is entered with its first seal: that no record was removed
 * or changed, and that no log of an organization that exists was removed.
 */
export async function verifyAuditRegister(
  database: Database,
  secretBox: SecretBox,
): Promise<AuditRegisterVerification> {
  const reads = database.kernel(database.reader);
  const sealer = createAuditSealer(secretBox);
  const faults: string[] = [];
  let size: AuditRegisterSize | null = null;
  let records = 0;
  for (let after = ''; ; ) {
    const rows = await reads.listAuditRegister(after, RECORDS_PER_LOOK);
    for (const row of rows) {
      if (row.id === REGISTER_SIZE_ID) {
        size = sealer.openSize(row.sealed);
        continue;
      }
      records += 1;
      const record = sealer.openRecord(row);
      if (!record) faults.push(`the record ${row.id} was changed`);
      else if (row.organizationId === null && (await reads.hasTenant(record.organizationId))) {
        faults.push(`an earlier log of ${record.organizationId} was removed`);
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < RECORDS_PER_LOOK) break;
    after = last.id;
  }
  if (!size && records > 0) faults.push('the record on all logs is missing or was changed');
  if (size?.wasLost) faults.push('the record on all logs was missing when a log was added');
  if (size && size.logs > records)
    faults.push(`${size.logs - records} of ${size.logs} records are missing`);
  return { faults };
}
