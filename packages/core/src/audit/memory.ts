import type { ChainPlace } from '../crypto/hash-chain.ts';
import { positionAfter } from '../crypto/hash-chain.ts';
import type { MemorySession } from '../storage/memory.ts';
import { pageOf } from '../storage/memory-rows.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import { chainEntry } from './chain.ts';
import type { AuditReads, AuditWrites } from './storage.ts';
import type { AuditEntry, AuditFilter } from './types.ts';

/** The place of an organization's chain, in the row with the organization's id. */
interface StoredPlace extends ChainPlace {
  readonly organizationId: string;
}

const ENTRIES = defineMemoryTable<AuditEntry>('audit_entries', 'organizationId');
const HEADS = defineMemoryTable<StoredPlace>('audit_heads', 'organizationId');
const CHECKPOINTS = defineMemoryTable<StoredPlace>('audit_checkpoints', 'organizationId');

/** The audit log in memory. */
export function createMemoryAudit(session: MemorySession): AuditReads & AuditWrites {
  const entries = () => session.table(ENTRIES);
  const heads = () => session.table(HEADS);
  const checkpoints = () => session.table(CHECKPOINTS);
  const chainOf = (organizationId: string) =>
    entries()
      .filter((entry) => entry.organizationId === organizationId)
      .sort((left, right) => left.sequence - right.sequence);
  return {
    async listAuditEntries(organizationId, filter, page) {
      const matching = chainOf(organizationId).filter((entry) => matches(entry, filter));
      return pageOf(matching, page, newestEntryFirst);
    },
    async readAuditChain(organizationId, sequence, limit) {
      return chainOf(organizationId)
        .filter((entry) => entry.sequence > sequence)
        .slice(0, limit);
    },
    async findAuditCheckpoint(organizationId) {
      return placeOf(checkpoints().get(organizationId));
    },
    async findAuditHead(organizationId) {
      return placeOf(heads().get(organizationId));
    },
    async listOldAudits(before, after, limit) {
      const oldest = new Map<string, AuditEntry>();
      for (const entry of entries().filter(() => true)) {
        const known = oldest.get(entry.organizationId);
        if (!known || entry.sequence < known.sequence) oldest.set(entry.organizationId, entry);
      }
      const old = [...oldest.values()].filter(({ createdAt }) => createdAt < before);
      const ids = old.map(({ organizationId }) => organizationId).filter((id) => id > after);
      return ids.sort().slice(0, limit);
    },
    async trimAudit(organizationId, { sequence, hash }) {
      const isOld = (entry: Readonly<AuditEntry>) =>
        entry.organizationId === organizationId && entry.sequence <= sequence;
      entries().deleteWhere(isOld);
      checkpoints().put(organizationId, { organizationId, sequence, hash });
    },
    async recordAudit(entry) {
      const { organizationId } = entry;
      const head = placeOf(heads().get(organizationId));
      const chained = chainEntry(entry, positionAfter(head));
      entries().put(entry.id, chained);
      const { sequence, hash } = chained;
      heads().put(organizationId, { organizationId, sequence, hash });
    },
  };
}

function placeOf(row: StoredPlace | undefined): ChainPlace | null {
  return row ? { sequence: row.sequence, hash: row.hash } : null;
}

function newestEntryFirst(left: AuditEntry, right: AuditEntry): number {
  return right.createdAt.getTime() - left.createdAt.getTime() || right.sequence - left.sequence;
}

function matches(entry: AuditEntry, { actor, action, since, until }: AuditFilter): boolean {
  return (
    (actor === undefined || entry.actor.id === actor) &&
    (action === undefined || entry.action === action) &&
    (since === undefined || entry.createdAt >= since) &&
    (until === undefined || entry.createdAt < until)
  );
}
