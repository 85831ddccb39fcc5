import { toDate } from '@probity/core/sql';
import type { EvidenceHead, EvidenceNode } from './types.ts';

/** The tables of chains; times are milliseconds since 1970. */
export interface ChainTables {
  probity_evidence_heads: HeadRow;
  probity_evidence_nodes: NodeRow;
}

/** The end of a chain. */
export interface HeadRow {
  organization_id: string;
  sequence: number;
  hash: string;
  removed_through: number;
  recorded_at: number;
  sealed_end: string | null;
}

/** A node of a chain. */
export interface NodeRow {
  organization_id: string;
  sequence: number;
  id: string;
  amends: string | null;
  idempotency_key: string | null;
  content_hash: string;
  links_hash: string;
  previous_hash: string;
  hash: string;
  created_at: number;
}

export function toHeadRow(head: EvidenceHead): HeadRow {
  return {
    organization_id: head.organizationId,
    sequence: head.sequence,
    hash: head.hash,
    removed_through: head.removedThrough,
    recorded_at: head.recordedAt.getTime(),
    sealed_end: head.sealed,
  };
}

export function toHead(row: HeadRow): EvidenceHead {
  return {
    organizationId: row.organization_id,
    sequence: row.sequence,
    hash: row.hash,
    removedThrough: row.removed_through,
    recordedAt: toDate(row.recorded_at),
    sealed: row.sealed_end,
  };
}

export function toNodeRow(node: EvidenceNode): NodeRow {
  return {
    organization_id: node.organizationId,
    sequence: node.sequence,
    id: node.id,
    amends: node.amends,
    idempotency_key: node.idempotencyKey,
    content_hash: node.contentHash,
    links_hash: node.linksHash,
    previous_hash: node.previousHash,
    hash: node.hash,
    created_at: node.createdAt.getTime(),
  };
}

export function toNode(row: NodeRow): EvidenceNode {
  return {
    id: row.id,
    organizationId: row.organization_id,
    amends: row.amends,
    idempotencyKey: row.idempotency_key,
    contentHash: row.content_hash,
    linksHash: row.links_hash,
    createdAt: toDate(row.created_at),
    sequence: row.sequence,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
