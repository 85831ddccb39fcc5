import type { MemorySession } from '@probity/core';
import { owned, pageOf } from '@probity/core/internal';
import { bySequence, HEADS, NODES, placeKey } from '../chain/memory-tables.ts';
import { countedAlone, toGroups } from './groups.ts';
import { RECORDS } from './memory-tables.ts';
import type { EvidenceReads, EvidenceWrites } from './storage.ts';
import type { Evidence, EvidenceFilter } from './types.ts';

/** Reads and writes records in memory. */
export function createEvidenceOperations(session: MemorySession): EvidenceReads & EvidenceWrites {
  const records = () => session.table(RECORDS);
  const nodes = () => session.table(NODES);
  const heads = () => session.table(HEADS);
  const recordsOf = (organizationId: string) =>
    records().filter((row) => row.organizationId === organizationId);
  return {
    async listEvidence(organizationId, filter, page) {
      const matching = recordsOf(organizationId).filter((row) => matches(row, filter));
      return pageOf(matching, page, (left, right) => bySequence(right, left));
    },
    async findEvidence(organizationId, id) {
      return owned(records(), organizationId, id);
    },
    async findEvidenceAt(organizationId, sequences) {
      return recordsOf(organizationId).filter(({ sequence }) => sequences.includes(sequence));
    },
    async readEvidence(organizationId, filter, sequence, limit) {
      const next = recordsOf(organizationId).filter(
        (row) => row.sequence > sequence && matches(row, filter),
      );
      return next.sort(bySequence).slice(0, limit);
    },
    async groupEvidence(organizationId, aiSystemId) {
      const records = recordsOf(organizationId).filter((row) => matches(row, { aiSystemId }));
      return toGroups(records.map(countedAlone));
    },
    async findEvidenceKeys(organizationId, keys) {
      const wanted = new Set<string | null>(keys);
      const found = nodes().filter(
        (node) => node.organizationId === organizationId && wanted.has(node.idempotencyKey),
      );
      return found.map(({ idempotencyKey }) => idempotencyKey ?? '');
    },
    async findEvidenceByKeys(organizationId, keys) {
      const wanted = new Set(keys);
      return recordsOf(organizationId).filter(({ idempotencyKey }) => wanted.has(idempotencyKey));
    },
    async hasEvidenceOf(organizationId, aiSystemId) {
      return recordsOf(organizationId).some((row) => row.aiSystemId === aiSystemId);
    },
    async appendEvidence(entries, head) {
      for (const { node, record } of entries) {
        nodes().put(placeKey(node), node);
        records().put(record.id, record);
      }
      heads().put(head.organizationId, head);
    },
    async amendEvidence(node, record, head) {
      nodes().put(placeKey(node), node);
      records().put(record.id, record);
      heads().put(head.organizationId, head);
    },
    async removeEvidence(head) {
      const { organizationId, removedThrough } = head;
      records().deleteWhere(
        (row) => row.organizationId === organizationId && row.sequence <= removedThrough,
      );
      heads().put(organizationId, head);
    },
  };
}

function matches(record: Evidence, filter: EvidenceFilter): boolean {
  const { aiSystemId, evidenceType, obligationIds, labels = [], since, until, q } = filter;
  return (
    (aiSystemId === undefined || record.aiSystemId === aiSystemId) &&
    (evidenceType === undefined || record.evidenceType === evidenceType) &&
    (!obligationIds || record.obligationIds.some((id) => obligationIds.includes(id))) &&
    labels.every(
      ([name, value]) => Object.hasOwn(record.labels, name) && record.labels[name] === value,
    ) &&
    (since === undefined || record.createdAt >= since) &&
    (until === undefined || record.createdAt < until) &&
    (q === undefined || [record.title, record.content].some((text) => contains(text, q)))
  );
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
