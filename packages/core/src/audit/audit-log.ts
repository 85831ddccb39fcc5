import type { CallContext } from '../context.ts';
import type { Page, PageOf } from '../paging.ts';
import type { Database } from '../storage.ts';
import type { ChainFault } from './chain.ts';
import { findChainFault, findHeadFault } from './chain.ts';
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

const STEP = 500;

/**
 * Walks an organization's chain from its start, or from the checkpoint that retention left, to its
 * head, and finds the first entry that was changed or taken out, at the end as well. Entries that
 * are recorded meanwhile are no faults. An organization without any entry has lost the one of its
 * creation.
 */
export async function verifyAuditChain(
  database: Database,
  organizationId: string,
): Promise<AuditVerification> {
  const reads = database.kernel(database.reader);
  const head = await reads.findAuditHead(organizationId);
  const checkpoint = await reads.findAuditCheckpoint(organizationId);
  let last = checkpoint;
  let entries = 0;
  for (;;) {
    const step = await reads.readAuditChain(organizationId, last?.sequence ?? 0, STEP);
    const fault = findChainFault(step, last) ?? findHeadFault(step, head);
    if (fault) {
      const walked = step.filter(({ sequence }) => sequence < fault.sequence).length;
      return { organizationId, entries: entries + walked, fault };
    }
    entries += step.length;
    last = step.at(-1) ?? last;
    if (step.length < STEP) break;
  }
  const reached = last?.sequence ?? 0;
  const isCut = reached < (head?.sequence ?? reached + 1);
  return {
    organizationId,
    entries,
    fault: isCut ? { sequence: reached + 1, reason: 'missing' } : null,
  };
}
