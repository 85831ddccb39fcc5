import type { ChainPlace } from '../crypto/hash-chain.ts';
import { positionAfter } from '../crypto/hash-chain.ts';
import { sealedColumn } from '../sealing/sql/column.ts';
import { requireSealingKey } from '../sealing/sql/keys.ts';
import { forUpdate, toDate } from '../sql/dialect.ts';
import { equalityPaths, pageOfPaths } from '../sql/list-paths.ts';
import { countRows } from '../sql/page-of.ts';
import { prepareInsert, prepareUpsert } from '../sql/prepare-insert.ts';
import { prepareQuery } from '../sql/prepared-query.ts';
import type { SqlSession } from '../sql/session.ts';
import { chainEntry } from './chain.ts';
import type { AuditRegisterRow, AuditRegisterRows } from './register.ts';
import { REGISTER_SIZE_ID, sealEntry } from './register.ts';
import type { AuditHead, AuditSeal } from './seal.ts';
import type { AuditReads, AuditWrites } from './storage.ts';
import type { AuditActor, AuditEntry, AuditFields } from './types.ts';

/** Tables of the audit log. */
interface AuditTables {
  probity_audit_entries: AuditEntryRow;
  probity_audit_heads: AuditHeadRow;
  probity_audit_checkpoints: AuditCheckpointRow;
  probity_audit_register: RegisterRow;
}

/** A row of the register of keyed logs. */
interface RegisterRow {
  id: string;
  tenant_id: string | null;
  sealed_record: string;
}

interface AuditEntryRow {
  id: string;
  organization_id: string;
  sequence: number;
  action: string;
  actor_type: string;
  actor_id: string;
  credential_id: string | null;
  target_type: string;
  target_id: string;
  before: string | null;
  after: string | null;
  address: string | null;
  request_id: string | null;
  previous_hash: string;
  hash: string;
  created_at: number;
}

/** The last entry that retention removed. */
interface AuditCheckpointRow {
  organization_id: string;
  sequence: number;
  hash: string;
  mac: string | null;
}

/** The last entry of a chain. All three columns of its seal are null, or none is. */
interface AuditHeadRow extends AuditCheckpointRow {
  keyed_from: number | null;
  sealed_key: string | null;
}

/** The audit log on a SQL session. */
export function createSqlAudit(session: SqlSession): AuditReads & AuditWrites {
  const db = () => session.kysely<AuditTables>();
  // Made by those who need them: every change records an entry.
  const keys = () => sealedColumn(session, 'probity_audit_heads', 'sealed_key', 'organization_id');
  const records = () => sealedColumn(session, 'probity_audit_register', 'sealed_record');
  const register = () => createRegister(session);
  return {
    listAuditEntries(organizationId, filter, page) {
      const { actor, action, ...times } = filter;
      const newest = db()
        .selectFrom('probity_audit_entries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at', 'desc')
        .orderBy('sequence', 'desc');
      return pageOfPaths(
        equalityPaths(newest, { actor_id: actor, action }, { times }),
        page,
        toEntry,
      );
    },
    async readAuditChain(organizationId, sequence, limit) {
      const rows = await db()
        .selectFrom('probity_audit_entries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },
    async findAuditCheckpoint(organizationId) {
      const row = await db()
        .selectFrom('probity_audit_checkpoints')
        .select(['sequence', 'hash', 'mac'])
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return row ?? null;
    },
    async findAuditHead(organizationId) {
      const row = await db()
        .selectFrom('probity_audit_heads')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return row ? toHead(row) : null;
    },
    listSealedAuditKeys: (...given) => keys().list(...given),
    replaceSealedAuditKey(value) {
      heads.delete(session);
      return keys().replace(value);
    },
    findAuditRecord: (organizationId) => register().find(organizationId),
    async listAuditRegister(after, limit) {
      const rows = await db()
        .selectFrom('probity_audit_register')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toRegisterRow);
    },
    listSealedAuditRecords: (...given) => records().list(...given),
    replaceSealedAuditRecord: (value) => records().replace(value),
    async listAudits(after, limit) {
      const rows = await db()
        .selectFrom('probity_audit_heads as h')
        .select((eb) => [
          'h.organization_id as id',
          eb
            .selectFrom('probity_audit_entries as e')
            .select('e.created_at')
            .whereRef('e.organization_id', '=', 'h.organization_id')
            .orderBy('e.sequence')
            .limit(1)
            .as('oldest'),
        ])
        .where('h.organization_id', '>', after)
        .orderBy('h.organization_id')
        .limit(limit)
        .execute();
      return rows.map(({ id, oldest }) => ({
        organizationId: id,
        oldestAt: oldest === null ? null : toDate(oldest),
      }));
    },
    async trimAudit(organizationId, { sequence, hash, mac }) {
      await db()
        .deleteFrom('probity_audit_entries')
        .where('organization_id', '=', organizationId)
        .where('sequence', '<=', sequence)
        .execute();
      await putCheckpoint(session, { organization_id: organizationId, sequence, hash, mac });
    },
    async recordAudit(entry, sealer) {
      const { organizationId } = entry;
      const row = await lockHead(session, organizationId);
      const previous = row.sequence === 0 ? null : toHead(row);
      const last = previous ?? (await findLast(session, organizationId));
      const chained = chainEntry(entry, positionAfter(last));
      const seal = sealer
        ? await sealEntry(register(), sealer, organizationId, previous, chained)
        : null;
      if (seal && seal.sealedKey !== row.sealed_key) {
        await requireSealingKey(session, seal.sealedKey);
      }
      await insertEntry(session, toRow(chained));
      const { sequence, hash } = chained;
      const head = { organization_id: organizationId, sequence, hash, ...toSealColumns(seal) };
      await setHead(session, head);
      heads.set(session, head);
    },
  };
}

/** The head that each open transaction has written last: its lock lasts until the transaction ends. */
const heads = new WeakMap<SqlSession, AuditHeadRow>();

/** The head of a chain, whose lock excludes other writers; with the sequence 0 when the chain is new. */
async function lockHead(session: SqlSession, organizationId: string): Promise<AuditHeadRow> {
  const known = heads.get(session);
  if (known?.organization_id === organizationId) return known;
  const [row] = await selectHeadForUpdate(session, { organizationId });
  if (row) return row;
  const [inserted] = await insertHead(session, { organizationId });
  return inserted as AuditHeadRow;
}

const selectHeadForUpdate = prepareQuery<AuditTables, { organizationId: string }, AuditHeadRow>(
  (db, value, dialect) =>
    forUpdate(
      dialect,
      db
        .selectFrom('probity_audit_heads')
        .selectAll()
        .where('organization_id', '=', value('organizationId')),
    ),
);

/** Another transaction may have inserted it meanwhile, which is waited for. */
const insertHead = prepareQuery<AuditTables, { organizationId: string }, AuditHeadRow>(
  (db, value) =>
    db
      .insertInto('probity_audit_heads')
      .values({
        organization_id: value('organizationId'),
        sequence: 0,
        hash: '',
        keyed_from: null,
        sealed_key: null,
        mac: null,
      })
      .onConflict((conflict) =>
        conflict
          .column('organization_id')
          .doUpdateSet((eb) => ({ sequence: eb.ref('probity_audit_heads.sequence') })),
      )
      .returningAll(),
);

/** The last place of a log whose head is missing: its last entry, or the checkpoint; or null. */
async function findLast(session: SqlSession, organizationId: string): Promise<ChainPlace | null> {
  const lastOf = (table: 'probity_audit_entries' | 'probity_audit_checkpoints') =>
    session
      .kysely<AuditTables>()
      .selectFrom(table)
      .select(['sequence', 'hash'])
      .where('organization_id', '=', organizationId)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
  return (
    (await lastOf('probity_audit_entries')) ?? (await lastOf('probity_audit_checkpoints')) ?? null
  );
}

function createRegister(session: SqlSession): AuditRegisterRows {
  const db = () => session.kysely<AuditTables>();
  return {
    async find(organizationId) {
      const row = await db()
        .selectFrom('probity_audit_register')
        .selectAll()
        .where('tenant_id', '=', organizationId)
        .executeTakeFirst();
      return row ? toRegisterRow(row) : null;
    },
    async lockSize() {
      const row = { id: REGISTER_SIZE_ID, tenant_id: null, sealed_record: '' };
      const { sealed_record: sealed } = await db()
        .insertInto('probity_audit_register')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ tenant_id: null }))
        .returning('sealed_record')
        .executeTakeFirstOrThrow();
      return sealed;
    },
    async countOthers(organizationId) {
      const records = db().selectFrom('probity_audit_register').where('id', '!=', REGISTER_SIZE_ID);
      const seal = await db()
        .selectFrom('probity_audit_heads')
        .select('organization_id')
        .where('sealed_key', 'is not', null)
        .where('organization_id', '!=', organizationId)
        .limit(1)
        .executeTakeFirst();
      return { records: await countRows(records), hasSeals: seal !== undefined };
    },
    async put({ id, organizationId, sealed }) {
      await requireSealingKey(session, sealed);
      await putRecord(session, { id, tenant_id: organizationId, sealed_record: sealed });
    },
  };
}

const putRecord = prepareUpsert<RegisterRow>(
  'probity_audit_register',
  ['id', 'tenant_id', 'sealed_record'],
  ['id'],
);

function toRegisterRow({ id, tenant_id, sealed_record }: RegisterRow): AuditRegisterRow {
  return { id, organizationId: tenant_id, sealed: sealed_record };
}

type SealColumns = Pick<AuditHeadRow, 'keyed_from' | 'sealed_key' | 'mac'>;

const setHead = prepareQuery<AuditTables, AuditHeadRow, object>((db, value) =>
  db
    .updateTable('probity_audit_heads')
    .set({
      sequence: value('sequence'),
      hash: value('hash'),
      keyed_from: value('keyed_from'),
      sealed_key: value('sealed_key'),
      mac: value('mac'),
    })
    .where('organization_id', '=', value('organization_id')),
);

const putCheckpoint = prepareUpsert<AuditCheckpointRow>(
  'probity_audit_checkpoints',
  ['organization_id', 'sequence', 'hash', 'mac'],
  ['organization_id'],
);

const insertEntry = prepareInsert<AuditEntryRow>('probity_audit_entries', [
  ...(['id', 'organization_id', 'sequence', 'action', 'actor_type', 'actor_id'] as const),
  ...(['credential_id', 'target_type', 'target_id', 'before', 'after', 'address'] as const),
  ...(['request_id', 'previous_hash', 'hash', 'created_at'] as const),
]);

function toHead({ sequence, hash, ...columns }: AuditHeadRow): AuditHead {
  const { keyed_from: keyedFrom, sealed_key: sealedKey, mac } = columns;
  const isSealed = keyedFrom !== null && sealedKey !== null;
  // A seal without mac was tampered with; text that equals no mac keeps it invalid.
  return { sequence, hash, seal: isSealed ? { keyedFrom, sealedKey, mac: mac ?? '' } : null };
}

function toSealColumns(seal: AuditSeal | null): SealColumns {
  const { keyedFrom = null, sealedKey = null, mac = null } = seal ?? {};
  return { keyed_from: keyedFrom, sealed_key: sealedKey, mac };
}

function toRow(entry: AuditEntry): AuditEntryRow {
  return {
    id: entry.id,
    organization_id: entry.organizationId,
    sequence: entry.sequence,
    action: entry.action,
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    credential_id: entry.actor.credentialId,
    target_type: entry.target.type,
    target_id: entry.target.id,
    before: entry.before && JSON.stringify(entry.before),
    after: entry.after && JSON.stringify(entry.after),
    address: entry.address,
    request_id: entry.requestId,
    previous_hash: entry.previousHash,
    hash: entry.hash,
    created_at: entry.createdAt.getTime(),
  };
}

function toEntry(row: AuditEntryRow): AuditEntry {
  return {
    id: row.id,
    organizationId: row.organization_id,
    sequence: row.sequence,
    action: row.action,
    actor: {
      type: row.actor_type as AuditActor['type'],
      id: row.actor_id,
      credentialId: row.credential_id,
    },
    target: { type: row.target_type, id: row.target_id },
    before: toFields(row.before),
    after: toFields(row.after),
    address: row.address,
    requestId: row.request_id,
    previousHash: row.previous_hash,
    hash: row.hash,
    createdAt: toDate(row.created_at),
  };
}

function toFields(json: string | null): AuditFields | null {
  if (json === null) return null;
  try {
    return JSON.parse(json) as AuditFields;
  } catch {
    // Nothing of ours wrote it: the entry has another hash with it, and is read and reported like others.
    return { unreadable: json };
  }
}
