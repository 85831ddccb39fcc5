import { hash } from 'node:crypto';
import { toDate, toDateOrNull } from '@probity/core/sql';
import type { Evidence, EvidenceMetadata } from './types.ts';

/** The tables of records; times are milliseconds since 1970. */
export interface EvidenceTables {
  probity_evidence_records: EvidenceRow;
  probity_evidence_labels: LabelRow;
  probity_evidence_link_sets: LinkSetRow;
}

/** A record without what its node and its set of obligations have. */
export interface EvidenceRow {
  id: string;
  organization_id: string;
  sequence: number;
  evidence_type: string;
  source: string;
  title: string;
  content: string;
  /** JSON object. */
  metadata: string;
  ai_system_id: string | null;
  /** JSON object. */
  labels: string;
  link_set: string;
  occurred_at: number | null;
  created_at: number;
  salt: string;
  amendment: number | null;
}

/** A label of a record, to find it by. */
export interface LabelRow {
  organization_id: string;
  name: string;
  value: string;
  sequence: number;
}

/** A set of obligations that records share. */
export interface LinkSetRow {
  organization_id: string;
  /** See {@link linkSetOf}. */
  id: string;
  /** JSON array of ids. */
  obligations: string;
}

/** The id of a set of obligations: the SHA-256, in hex, of their ids in order. */
export function linkSetOf(obligationIds: readonly string[]): string {
  return hash('sha256', JSON.stringify([...obligationIds].sort()));
}

/** The row of a record. */
export function toEvidenceRow(record: Evidence, linkSet: string): EvidenceRow {
  return {
    id: record.id,
    organization_id: record.organizationId,
    sequence: record.sequence,
    evidence_type: record.evidenceType,
    source: record.source,
    title: record.title,
    content: record.content,
    metadata: JSON.stringify(record.metadata),
    ai_system_id: record.aiSystemId,
    labels: JSON.stringify(record.labels),
    link_set: linkSet,
    occurred_at: record.occurredAt?.getTime() ?? null,
    created_at: record.createdAt.getTime(),
    salt: record.salt,
    amendment: record.amendment,
  };
}

/** What a record has from its node and from its set of obligations. */
export interface EvidenceParts {
  readonly hash: string;
  readonly idempotencyKey: string;
  readonly obligationIds: readonly string[];
}

/** The record of a row. */
export function toEvidence(row: EvidenceRow, parts: EvidenceParts): Evidence {
  return {
    id: row.id,
    organizationId: row.organization_id,
    evidenceType: row.evidence_type,
    source: row.source,
    title: row.title,
    content: row.content,
    metadata: parseObject(row.metadata),
    aiSystemId: row.ai_system_id,
    labels: parseObject(row.labels) as Record<string, string>,
    obligationIds: parts.obligationIds,
    idempotencyKey: parts.idempotencyKey,
    occurredAt: toDateOrNull(row.occurred_at),
    createdAt: toDate(row.created_at),
    sequence: row.sequence,
    hash: parts.hash,
    salt: row.salt,
    amendment: row.amendment,
  };
}

/** The rows of a record's labels. */
export function toLabelRows({ organizationId, sequence, labels }: Evidence): LabelRow[] {
  return Object.entries(labels).map(([name, value]) => ({
    ...{ organization_id: organizationId, name, value, sequence },
  }));
}

/**
 * The object of a column. Text that nothing of ours wrote is kept as such: the record has another hash with it,
 * and is read and reported like others.
 */
function parseObject(json: string): EvidenceMetadata {
  try {
    const value: unknown = JSON.parse(json);
    const isOwn = typeof value === 'object' && value !== null && JSON.stringify(value) === json;
    if (isOwn && !Array.isArray(value)) return value as EvidenceMetadata;
  } catch {
    // As below.
  }
  return { unreadable: json };
}

/** Stands for the obligations of a set that is not what its id says: the record has another hash with it. */
export const UNREADABLE_SET: readonly string[] = ['unreadable'];

/** The ids of a set of obligations. */
export function obligationsIn({
  id,
  obligations,
}: Pick<LinkSetRow, 'id' | 'obligations'>): readonly string[] {
  try {
    const ids = JSON.parse(obligations) as string[];
    const isOwn = linkSetOf(ids) === id && JSON.stringify(ids) === obligations;
    return isOwn ? ids : UNREADABLE_SET;
  } catch {
    return UNREADABLE_SET;
  }
}
