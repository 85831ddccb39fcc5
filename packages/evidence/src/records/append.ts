import type { Runtime } from '@probity/core';
import { createUuid, positionAfter, toLink } from '@probity/core/internal';
import { hashContent, hashLinks, hashNode } from '../chain/form.ts';
import { nextHead } from '../chain/seal.ts';
import type { EvidenceHead, EvidenceNode, NewEvidenceNode } from '../chain/types.ts';
import type { EvidenceTransaction } from '../storage.ts';
import type { Evidence, NewEvidence } from './types.ts';

/** Appends to the chain of an organization, in a transaction under its lock. */
export interface EvidenceAppender {
  /**
   * Appends the records in their order. Those whose idempotency key the organization's chain has already, or an
   * earlier one of the call has, are left out.
   * @returns the appended records
   */
  append(
    tx: EvidenceTransaction,
    organizationId: string,
    records: readonly NewEvidence[],
  ): Promise<Evidence[]>;
  /** Replaces the AI system and the labels of a record; appends the amendment to the chain. */
  amend(
    tx: EvidenceTransaction,
    record: Evidence,
    links: Pick<Evidence, 'aiSystemId' | 'labels'>,
  ): Promise<Evidence>;
}

const SALT_BYTES = 16;

/** Creates the appender; it seals the chain's end where the runtime has a secret box. */
export function createEvidenceAppender(
  runtime: Pick<Runtime, 'clock' | 'random' | 'secretBox'>,
): EvidenceAppender {
  const { clock, random, secretBox } = runtime;
  const newSalt = () => Buffer.from(random(SALT_BYTES)).toString('hex');

  return {
    async append(tx, organizationId, records) {
      const known = await tx.findEvidenceKeys(
        organizationId,
        records.map(({ idempotencyKey }) => idempotencyKey),
      );
      const fresh = withoutKeys(records, known);
      if (fresh.length === 0) return [];
      const former = await tx.findEvidenceHead(organizationId);
      const entries: Array<{ node: EvidenceNode; record: Evidence }> = [];
      let last = former as Pick<EvidenceHead, 'sequence' | 'hash' | 'recordedAt'> | null;
      for (const record of fresh) {
        const entry = toEntry({ ...record, createdAt: notBefore(last, record.createdAt) });
        entries.push(entry);
        const { sequence, hash, createdAt } = entry.node;
        last = { sequence, hash, recordedAt: createdAt };
      }
      await tx.appendEvidence(
        entries,
        headAfter(former, (entries.at(-1) as { node: EvidenceNode }).node),
      );
      return entries.map(({ record }) => record);

      function toEntry(record: NewEvidence): { node: EvidenceNode; record: Evidence } {
        const obligationIds = [...record.obligationIds].sort();
        const salted = { ...record, obligationIds, salt: newSalt() };
        const content: NewEvidenceNode = {
          id: record.id,
          organizationId,
          amends: null,
          idempotencyKey: record.idempotencyKey,
          contentHash: hashContent(salted),
          linksHash: hashLinks(salted),
          createdAt: record.createdAt,
        };
        const node = toLink(content, positionAfter(last), hashNode);
        const { sequence, hash } = node;
        return { node, record: { ...salted, organizationId, sequence, hash, amendment: null } };
      }
    },

    async amend(tx, record, { aiSystemId, labels }) {
      const { organizationId } = record;
      const former = await tx.findEvidenceHead(organizationId);
      const amended = { ...record, aiSystemId, labels };
      const content: NewEvidenceNode = {
        id: createUuid({ clock, random }),
        organizationId,
        amends: record.id,
        idempotencyKey: null,
        contentHash: '',
        linksHash: hashLinks(amended),
        createdAt: notBefore(former, clock.now()),
      };
      const node = toLink(content, positionAfter(former), hashNode);
      const stored = { ...amended, amendment: node.sequence };
      await tx.amendEvidence(node, stored, headAfter(former, node));
      return stored;
    },
  };

  function headAfter(former: EvidenceHead | null, node: EvidenceNode): EvidenceHead {
    const { organizationId, sequence, hash, createdAt: recordedAt } = node;
    const removedThrough = former?.removedThrough ?? 0;
    return nextHead(secretBox, former, {
      ...{ organizationId, sequence, hash, removedThrough, recordedAt },
    });
  }
}

/** The later of a time and that of the end of the chain, so that the order of times is that of the chain. */
function notBefore(last: Pick<EvidenceHead, 'recordedAt'> | null, time: Date): Date {
  return last && last.recordedAt > time ? last.recordedAt : time;
}

/** The records without those whose key is known or was before them. */
function withoutKeys(records: readonly NewEvidence[], known: readonly string[]): NewEvidence[] {
  const seen = new Set(known);
  return records.filter(({ idempotencyKey }) => {
    if (seen.has(idempotencyKey)) return false;
    seen.add(idempotencyKey);
    return true;
  });
}
