import { defineMemoryTable } from '@probity/core/internal';
import type { EvidenceHead, EvidenceNode } from './types.ts';

/** The nodes of all chains, by organization and sequence. */
export const NODES = defineMemoryTable<EvidenceNode>('evidence_nodes', 'organizationId');

/** The ends of the chains, by organization. */
export const HEADS = defineMemoryTable<EvidenceHead>('evidence_heads', 'organizationId');

/** Key of a node. */
export function placeKey({
  organizationId,
  sequence,
}: Pick<EvidenceNode, 'organizationId' | 'sequence'>): string {
  return `${organizationId} ${sequence}`;
}

/** By ascending sequence. */
export function bySequence(left: { sequence: number }, right: { sequence: number }): number {
  return left.sequence - right.sequence;
}
