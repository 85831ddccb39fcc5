import type { RetentionRule, Runtime } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { findChainFault } from '@probity/core/internal';
import type { EvidenceStorage, EvidenceTransaction } from '../storage.ts';
import { isAmendmentKept, isRecordIntact } from './check.ts';
import { hashNode } from './form.ts';
import { nextHead, openEnd } from './seal.ts';
import type { StoredNode } from './storage.ts';

const CHAINS_PER_LOOK = 100;

/** A run of retention: it looks at each chain once. */
interface Run {
  readonly beforeMs: number;
  /** The last organization whose chain has no old record left, or is broken. */
  after: string;
}

/**
 * Removes the oldest records of the chains, each up to the first that is not yet old, and keeps their nodes. Records
 * are verified before: a chain that is broken there is left unchanged, so that the fault can still be located.
 */
export function createEvidenceTrimmer(
  runtime: Pick<Runtime, 'logger' | 'secretBox'>,
  storage: EvidenceStorage,
): RetentionRule['deleteBatch'] {
  let run: Run = { beforeMs: Number.NaN, after: '' };
  return async (before, limit) => {
    if (run.beforeMs !== before.getTime()) run = { beforeMs: before.getTime(), after: '' };
    for (;;) {
      const chains = await storage.listEvidenceChains(run.after, CHAINS_PER_LOOK);
      if (chains.length === 0) return 0;
      for (const { organizationId, oldestAt } of chains) {
        const removed =
          oldestAt && oldestAt < before
            ? await trim(runtime, storage, organizationId, { before, limit })
            : 0;
        // There may be more of this chain.
        if (removed > 0) return removed;
        run.after = organizationId;
      }
    }
  };
}

interface Batch {
  readonly before: Date;
  readonly limit: number;
}

/** Returns the number of nodes whose records were removed; 0 when the chain is broken. */
function trim(
  { logger, secretBox }: Pick<Runtime, 'logger' | 'secretBox'>,
  storage: EvidenceStorage,
  organizationId: string,
  batch: Batch,
): Promise<number> {
  return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
    const head = await tx.findEvidenceHead(organizationId);
    if (!head) return 0;
    const { old, fault } = await readOld(tx, organizationId, head.removedThrough, batch);
    const last = old.at(-1);
    if (!last) return 0;
    const isUnsealed = head.sealed !== null && !(secretBox && openEnd(secretBox, head));
    if (fault || isUnsealed) {
      const where = { organization_id: organizationId, sequence: fault ?? head.sequence };
      logger.error('a chain of evidence is broken; retention leaves it as it is', where);
      return 0;
    }
    const { sealed: _, ...present } = head;
    const removedThrough = last.sequence;
    // An end without a seal gets none here: the process may have no key of the database.
    const box = head.sealed === null ? undefined : secretBox;
    await tx.removeEvidence(nextHead(box, head, { ...present, removedThrough }));
    return old.length;
  });
}

/** The nodes after `removedThrough` that are old, and the sequence of the first one at fault. */
async function readOld(
  tx: EvidenceTransaction,
  organizationId: string,
  removedThrough: number,
  { before, limit }: Batch,
): Promise<{ old: StoredNode[]; fault: number | null }> {
  const start = Math.max(0, removedThrough - 1);
  const nodes = await tx.readEvidenceChain(organizationId, start, limit + removedThrough - start);
  const [last, rest] = removedThrough === 0 ? [null, nodes] : [nodes[0] ?? null, nodes.slice(1)];
  const end = rest.findIndex(({ createdAt }) => createdAt >= before);
  const old = end === -1 ? rest : rest.slice(0, end);
  const broken = old.find((node) => !isIntact(node));
  const fault = findChainFault(old, last, hashNode);
  return { old, fault: fault?.sequence ?? broken?.sequence ?? null };
}

function isIntact(node: StoredNode): boolean {
  return node.amends === null ? isRecordIntact(node) : isAmendmentKept(node);
}
