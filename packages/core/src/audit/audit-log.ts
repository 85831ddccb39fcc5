import type { CallContext } from '../context.ts';
import type { ChainFault } from '../crypto/hash-chain.ts';
import { verifyChain } from '../crypto/hash-chain.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Page, PageOf } from '../paging.ts';
import type { Database } from '../storage/database.ts';
import { hashEntry } from './chain.ts';
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
}

/** Position and kind of a fault; `unsealed`: the chain does not end as it was sealed. */
interface AuditFault {
  readonly sequence: number;
  readonly reason: ChainFault['reason'] | 'unsealed';
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
  const unkeyed = { organizationId, entries, fault, keyedFrom: null };
  if (fault || !secretBox) return unkeyed;
  return { ...unkeyed, ...verifySeals(secretBox, organizationId, head, checkpoint) };
}

function verifySeals(
  secretBox: SecretBox,
  organizationId: string,
  head: AuditHead | null,
  checkpoint: AuditCheckpoint | null,
): Pick<AuditVerification, 'fault' | 'keyedFrom'> {
  if (!head?.seal) return { fault: null, keyedFrom: null };
  if (createAuditSealer(secretBox).isValid(organizationId, head, checkpoint)) {
    return { fault: null, keyedFrom: head.seal.keyedFrom };
  }
  return { fault: { sequence: head.sequence, reason: 'unsealed' }, keyedFrom: null };
}
