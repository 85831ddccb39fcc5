import type { CallContext } from '../context.ts';
import type { ChainFault } from '../crypto/hash-chain.ts';
import { verifyChain } from '../crypto/hash-chain.ts';
import type { Page, PageOf } from '../paging.ts';
import type { Database } from '../storage/database.ts';
import { hashEntry } from './chain.ts';
import type { AuditEntry, AuditFilter } from './types.ts';

/** What was changed in an organization, by whom. */
export interface AuditLog {
  /** Matching entries, newest first. */
  list(context: CallContext, filter: AuditFilter, page: Page): Promise<PageOf<AuditEntry>>;
}

/** What a walk along an organization's chain found. */
export interface AuditVerification {
  readonly organizationId: string;
  /** Entries walked before the fault, or all of them. */
  readonly entries: number;
  /** Null when the chain is whole. */
  readonly fault: ChainFault | null;
}

/** Creates the service over the audit log. */
export function createAuditLog(database: Database): AuditLog {
  const reads = database.kernel(database.reader);
  return {
    list: ({ principal }, filter, page) =>
      reads.listAuditEntries(principal.organizationId, filter, page),
  };
}

/**
 * Verifies an organization's chain: see {@link verifyChain}. An organization without any entry has
 * lost the one of its creation.
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
