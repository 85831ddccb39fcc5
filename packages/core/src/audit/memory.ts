import { positionAfter } from '../crypto/hash-chain.ts';
import { listSealed } from '../sealing/memory.ts';
import type { MemorySession } from '../storage/memory.ts';
import { byId, pageOf } from '../storage/memory-rows.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import { chainEntry } from './chain.ts';
import type { AuditRegisterRow, AuditRegisterRows } from './register.ts';
import { REGISTER_SIZE_ID, sealEntry } from './register.ts';
import type { AuditCheckpoint, AuditHead } from './seal.ts';
import type { AuditReads, AuditWrites } from './storage.ts';
import type { AuditEntry, AuditFilter } from './types.ts';

/** A place of an organization's chain, in the row with the organization's id. */
type Stored<Place> = Place & { readonly organizationId: string };

const ENTRIES = defineMemoryTable<AuditEntry>('audit_entries', 'organizationId');
const HEADS = defineMemoryTable<Stored<AuditHead>>('audit_heads', 'organizationId');
const CHECKPOINTS = defineMemoryTable<Stored<AuditCheckpoint>>(
  'audit_checkpoints',
  'organizationId',
);

/** The register of keyed logs; its rows outlive their organizations, without the id. */
export const REGISTER = defineMemoryTable<RegisterRow>('audit_register', null);

interface RegisterRow extends Omit<AuditRegisterRow, 'organizationId'> {
  readonly tenantId: string | null;
}

function registerOf(session: MemorySession): AuditRegisterRows {
  const register = () => session.table(REGISTER);
  return {
    async find(organizationId) {
      const [row] = register().filter(({ tenantId }) => tenantId === organizationId);
      return row ? toRegisterRow(row) : null;
    },
    async lockSize() {
      return register().get(REGISTER_SIZE_ID)?.sealed ?? '';
    },
    async countOthers(organizationId) {
      const seals = session
        .table(HEADS)
        .filter((head) => head.seal !== null && head.organizationId !== organizationId);
      const records = register().filter(({ id }) => id !== REGISTER_SIZE_ID);
      return { records: records.length, hasSeals: seals.length > 0 };
    },
    async put({ id, organizationId, sealed }) {
      register().put(id, { id, tenantId: organizationId, sealed });
    },
  };
}

function toRegisterRow({ id, tenantId, sealed }: RegisterRow): AuditRegisterRow {
  return { id, organizationId: tenantId, sealed };
}

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
    async findAuditRecord(organizationId) {
      return registerOf(session).find(organizationId);
    },
    async listAuditRegister(after, limit) {
      const rows = session.table(REGISTER).filter(({ id }) => id > after);
      return rows.sort(byId).slice(0, limit).map(toRegisterRow);
    },
    async listSealedAuditRecords(exceptKeyId, after, limit) {
      return listSealed(
        session.table(REGISTER).filter(() => true),
        exceptKeyId,
        after,
        limit,
      );
    },
    async replaceSealedAuditRecord({ id, from, to }) {
      const row = session.table(REGISTER).get(id);
      if (row?.sealed === from) session.table(REGISTER).put(id, { ...row, sealed: to });
    },
    async listAudits(after, limit) {
      const found = heads().filter(({ organizationId }) => organizationId > after);
      const ids = found.map(({ organizationId }) => organizationId).sort();
      return ids.slice(0, limit).map((organizationId) => ({
        organizationId,
        oldestAt: chainOf(organizationId)[0]?.createdAt ?? null,
      }));
    },
    async listSealedAuditKeys(exceptKeyId, after, limit) {
      const sealed = heads()
        .filter(() => true)
        .flatMap(({ organizationId: id, seal }) => (seal ? [{ id, sealed: seal.sealedKey }] : []));
      return listSealed(sealed, exceptKeyId, after, limit);
    },
    async trimAudit(organizationId, { sequence, hash, mac }) {
      const isOld = (entry: Readonly<AuditEntry>) =>
        entry.organizationId === organizationId && entry.sequence <= sequence;
      entries().deleteWhere(isOld);
      checkpoints().put(organizationId, { organizationId, sequence, hash, mac });
    },
    async replaceSealedAuditKey({ id, from, to }) {
      const head = heads().get(id);
      if (head?.seal?.sealedKey !== from) return;
      heads().put(id, { ...head, seal: { ...head.seal, sealedKey: to } });
    },
    async recordAudit(entry, sealer) {
      const { organizationId } = entry;
      const head = placeOf(heads().get(organizationId));
      const last = head ?? chainOf(organizationId).at(-1) ?? checkpoints().get(organizationId);
      const chained = chainEntry(entry, positionAfter(last ?? null));
      entries().put(entry.id, chained);
      const { sequence, hash } = chained;
      const seal = sealer
        ? await sealEntry(registerOf(session), sealer, organizationId, head, chained)
        : null;
      heads().put(organizationId, { organizationId, sequence, hash, seal });
    },
  };
}

function placeOf<Place extends object>(row: Stored<Place> | undefined) {
  if (!row) return null;
  const { organizationId: _, ...place } = row;
  return place;
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
