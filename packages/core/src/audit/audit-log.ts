import type { CallContext } from '../context.ts';
import type { Page, PageOf } from '../paging.ts';
import type { Database } from '../storage/database.ts';
import type { ChainFault } from './chain.ts';
import { findChainFault, findHeadFault } from './chain.ts';
import type { AuditReads } from './storage.ts';
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
 * head, and finds the first entry that was changed, taken out, also at the end, or put before the
 * checkpoint. Entries that are recorded or removed by retention meanwhile are no faults. An
 * organization without any entry has lost the one of its creation.
 */
export async function verifyAuditChain(
  database: Database,
  organizationId: string,
): Promise<AuditVerification> {
  const reads = database.kernel(database.reader);
  for (;;) {
    const checkpoint = await reads.findAuditCheckpoint(organizationId);
    const verification = await walk(reads, organizationId, checkpoint);
    if (!verification.fault) return verification;
    // Retention may have removed what was to be walked: then it is walked again from there.
    const present = await reads.findAuditCheckpoint(organizationId);
    if (present?.sequence === checkpoint?.sequence) return verification;
  }
}

async function walk(
  reads: AuditReads,
  organizationId: string,
  checkpoint: ChainPlace | null,
): Promise<AuditVerification> {
  const head = await reads.findAuditHead(organizationId);
  let last = checkpoint;
  let entries = 0;
  for (;;) {
    // The first step begins at the very start: before the checkpoint there must be nothing.
    const from = entries === 0 ? 0 : (last?.sequence ?? 0);
    const step = await reads.readAuditChain(organizationId, from, STEP);
    const fault = findChainFault(step, last) ?? findHeadFault(step, head);
    if (fault) {
      const walked = step.filter(({ sequence }) => sequence < fault.sequence).length;
      return { organizationId, entries: entries + walked, fault };
    }
    entries += step.length;
    last = step.at(-1) ?? last;
    if (step.length < STEP) break;
  }
  return { organizationId, entries, fault: findEndFault(last, head) };
}

type ChainPlace = Pick<AuditEntry, 'sequence' | 'hash'>;

/** A fault where the chain does not reach its head, or the head is the checkpoint and differs. */
function findEndFault(last: ChainPlace | null, head: ChainPlace | null): ChainFault | null {
  const reached = last?.sequence ?? 0;
  if (!head || reached < head.sequence) return { sequence: reached + 1, reason: 'missing' };
  const isOther = reached === head.sequence && last?.hash !== head.hash;
  return isOther ? { sequence: reached, reason: 'changed' } : null;
}
