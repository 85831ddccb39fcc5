import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallContext, SecretBox } from '@probity/core';
import type { ChainFault, ChainPlace } from '@probity/core/internal';
import { verifyChain } from '@probity/core/internal';
import { isAmendmentKept, isIndexIntact, isRecordIntact } from './check.ts';
import { hashNode } from './form.ts';
import { openEnd } from './seal.ts';
import type { ChainReads, StoredNode } from './storage.ts';
import type { EvidenceHead } from './types.ts';

/**
 * Position and kind of a fault; `unindexed`: lists or trends do not find the record by what it says; `unsealed`: the chain does not end as it was sealed, `lost`: the seal was invalid or
 * missing when this node was appended, so the nodes before it are consistent but not proven.
 */
export interface EvidenceFault {
  readonly sequence: number;
  readonly reason: ChainFault['reason'] | 'unindexed' | 'unsealed' | 'lost';
}

/** Result of verifying the chain of an organization. */
export interface EvidenceVerification {
  /** Number of nodes verified before the fault, or of all. */
  readonly nodes: number;
  /** Number of records that were compared with their nodes. */
  readonly records: number;
  /** Records up to this sequence were removed by retention; 0 when none was. */
  readonly removedThrough: number;
  /** Null when the chain and all records are intact. */
  readonly fault: EvidenceFault | null;
  /**
   * The first node that was appended with a seal: from there on a later change, a recomputed chain and a cut end are
   * found. Null where nothing is sealed, and where no secret box was passed.
   */
  readonly sealedFrom: number | null;
  /** The end of the chain: a copy kept elsewhere proves later that the chain was not put back; or null. */
  readonly end: ChainPlace | null;
}

/** Verifies the chain of the caller's organization. */
export type VerifyEvidence = (context: CallContext) => Promise<EvidenceVerification>;

/**
 * Verifies the chain of an organization in slices, between which other requests are served: that no node was changed,
 * removed or added, that every record is what its node says, and that the end is the one that was sealed. What is
 * appended, amended or removed by retention meanwhile is no fault.
 */
export async function verifyEvidenceChain(
  reads: ChainReads,
  organizationId: string,
  secretBox?: SecretBox,
): Promise<EvidenceVerification> {
  const found = createFindings(reads, organizationId);
  const walked = await verifyChain<StoredNode>({
    findCheckpoint: async () => null,
    findHead: () => reads.findEvidenceHead(organizationId),
    async readLinks(sequence, limit) {
      const nodes = await reads.readEvidenceChain(organizationId, sequence, limit);
      // SQLite answers within the process, and the hashes take as long as the read.
      await nextTurn();
      await found.check(nodes);
      await nextTurn();
      await found.checkStrays(nodes);
      return nodes;
    },
    hashLink: hashNode,
    mayBeEmpty: true,
  });
  await found.checkStrays(null);
  // After the last slice: nodes behind this end were not appended by a transaction of ours.
  const head = await reads.findEvidenceHead(organizationId);
  const fault = first(walked.fault, found.fault(), addedFault(head, found.last()));
  const base = {
    nodes: walked.links,
    records: found.records(),
    removedThrough: head?.removedThrough ?? 0,
    end: head && { sequence: head.sequence, hash: head.hash },
  };
  if (fault || !secretBox || !head) return { ...base, fault, sealedFrom: null };
  return { ...base, ...verifySeal(secretBox, head) };
}

/** Compares the records of slices with their nodes. */
function createFindings(reads: ChainReads, organizationId: string) {
  let fault: EvidenceFault | null = null;
  let records = 0;
  let last = 0;
  let searchedThrough: number | null = null;
  const report = (sequence: number, reason: EvidenceFault['reason']) => {
    fault = first(fault, { sequence, reason });
  };
  return {
    fault: () => fault,
    records: () => records,
    last: () => last,
    /** Looks for records that have no node, at the places of a slice or, for null, behind all of them. */
    async checkStrays(nodes: readonly StoredNode[] | null): Promise<void> {
      const through = nodes?.at(-1)?.sequence ?? null;
      if (nodes && through === null) return;
      const places = { after: searchedThrough, through };
      searchedThrough = through;
      const stray = await reads.findStrayEvidence(organizationId, places);
      if (stray !== null) report(Math.max(stray, 1), 'added');
    },
    async check(nodes: readonly StoredNode[]): Promise<void> {
      last = nodes.at(-1)?.sequence ?? last;
      for (const node of nodes) {
        if (node.amends !== null) {
          if (!isAmendmentKept(node)) report(node.sequence, 'changed');
        } else if (node.record) {
          records += 1;
          if (!isRecordIntact(node)) report(node.sequence, 'changed');
          else if (!isIndexIntact(node)) report(node.sequence, 'unindexed');
        }
      }
      const gone = nodes.filter(({ amends, record }) => amends === null && !record);
      if (gone.length === 0) return;
      // Read after the slice, so that it covers what retention had removed by then.
      const { removedThrough = 0 } = (await reads.findEvidenceHead(organizationId)) ?? {};
      const missing = gone.find(({ sequence }) => sequence > removedThrough);
      if (missing) report(missing.sequence, 'missing');
    },
  };
}

/** The fault with the smallest sequence. */
function first(...faults: ReadonlyArray<EvidenceFault | null>): EvidenceFault | null {
  const given = faults.filter((fault) => fault !== null);
  return given.sort((left, right) => left.sequence - right.sequence)[0] ?? null;
}

function addedFault(head: EvidenceHead | null, last: number): EvidenceFault | null {
  if (!head || last <= head.sequence) return null;
  return { sequence: head.sequence + 1, reason: 'added' };
}

function verifySeal(
  secretBox: SecretBox,
  head: EvidenceHead,
): Pick<EvidenceVerification, 'fault' | 'sealedFrom'> {
  const end = openEnd(secretBox, head);
  if (!end) return { fault: { sequence: head.sequence, reason: 'unsealed' }, sealedFrom: null };
  const { sealedFrom, brokenAt } = end;
  if (brokenAt === null) return { fault: null, sealedFrom };
  return { fault: { sequence: brokenAt, reason: 'lost' }, sealedFrom };
}
