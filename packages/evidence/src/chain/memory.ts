import type { MemorySession } from '@probity/core';
import { listSealed } from '@probity/core/internal';
import { RECORDS } from '../records/memory-tables.ts';
import { bySequence, HEADS, NODES, placeKey } from './memory-tables.ts';
import type { ChainReads, ChainWrites } from './storage.ts';

/** Reads and writes chains in memory. */
export function createChainOperations(session: MemorySession): ChainReads & ChainWrites {
  const heads = () => session.table(HEADS);
  const nodes = () => session.table(NODES);
  const records = () => session.table(RECORDS);
  return {
    async findEvidenceHead(organizationId) {
      return heads().get(organizationId) ?? null;
    },
    async readEvidenceChain(organizationId, sequence, limit) {
      const next = nodes().filter(
        (node) => node.organizationId === organizationId && node.sequence > sequence,
      );
      return next
        .sort(bySequence)
        .slice(0, limit)
        .map((node) => {
          const record = node.amends === null ? (records().get(node.id) ?? null) : null;
          const amended = node.amends === null ? undefined : records().get(node.amends);
          const at = { organizationId, sequence: record?.amendment ?? 0 };
          const amendment = nodes().get(placeKey(at));
          return {
            ...node,
            record,
            amendment: amendment
              ? { amends: amendment.amends, linksHash: amendment.linksHash }
              : null,
            index: null,
            amended: amended ? { amendment: amended.amendment } : null,
          };
        });
    },
    async findStrayEvidence(organizationId, { after, through }) {
      const strays = records().filter((record) => {
        const { sequence } = record;
        if (record.organizationId !== organizationId || sequence <= (after ?? sequence - 1)) {
          return false;
        }
        const node = nodes().get(placeKey(record));
        const isStray = node?.id !== record.id || node.amends !== null;
        return isStray && sequence <= (through ?? sequence);
      });
      return strays.sort(bySequence)[0]?.sequence ?? null;
    },
    async listEvidenceChains(after, limit) {
      const found = heads().filter(({ organizationId }) => organizationId > after);
      const ids = found.map(({ organizationId }) => organizationId).sort();
      return ids.slice(0, limit).map((organizationId) => {
        const [oldest] = records()
          .filter((row) => row.organizationId === organizationId)
          .sort(bySequence);
        return { organizationId, oldestAt: oldest?.createdAt ?? null };
      });
    },
    async listSealedEvidenceHeads(exceptKeyId, after, limit) {
      const sealed = heads()
        .filter(() => true)
        .flatMap(({ organizationId: id, sealed: value }) => (value ? [{ id, sealed: value }] : []));
      return listSealed(sealed, exceptKeyId, after, limit);
    },
    async replaceSealedEvidenceHead({ id, from, to }) {
      const head = heads().get(id);
      if (head?.sealed === from) heads().put(id, { ...head, sealed: to });
    },
  };
}
