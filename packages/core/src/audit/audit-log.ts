import type { CallContext } from '../context.ts';
import type { ChainFault } from '../crypto/hash-chain.ts';
import { verifyChain } from '../crypto/hash-chain.ts';
import type { Page, PageOf } from '../paging.ts';
import type { Database } from '../storage/database.ts';
import { hashEntry } from './chain.ts';
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
  readonly fault: ChainFault | null;
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
 * entry that records the creation of the organization is missing.
 */
export async function verifyAuditChain(
  database: Database,
  organizationId: string,
): Promise<AuditVerification> {
  const reads = database.kernel(database.reader);
  const { links, fault } = await verifyChain<AuditEntry>({
    findCheckpoint: () => reads.findAuditCheckpoint(organizationId),
    findHead: () => reads.findAuditHead(organizationId),
    readLinks: (sequence, limit) => reads.readAuditChain(organizationId, sequence, limit),
    hashLink: hashEntry,
    mayBeEmpty: false,
  });
  return { organizationId, entries: links, fault };
}
