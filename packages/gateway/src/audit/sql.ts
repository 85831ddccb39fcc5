import { createHash } from 'node:crypto';
import type { ChainLink, ChainPlace, ChainPosition } from '@probity/core/internal';
import { positionAfter, toLink, verifyChain } from '@probity/core/internal';
import type { SqlSession } from '@probity/core/sql';
import { forUpdate, insertMany } from '@probity/core/sql';
import type { GatewayDatabase } from '../database/gateway-database.ts';
import { CHAINS_TABLE } from './migrations.ts';
import type { AuditAct, AuditRow, AuditScanRow } from './rows.ts';
import type { ChainSealer, SealedEnds } from './seals.ts';
import type { AuditStore, AuditVerification } from './store.ts';

/** A row of an audit table; of scans the columns of the chain are null. */
interface Columns {
  readonly id: string;
  readonly kind: string;
  readonly created_at: number;
  readonly request_id: string | null;
  readonly client_id: string;
  readonly user_id: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly result: string;
  readonly degraded: number;
  readonly personal: number;
  readonly duration_ms: number | null;
  readonly config_hash: string;
  readonly reason: string | null;
  readonly detail: string;
  readonly sequence: number | null;
  readonly previous_hash: string | null;
  readonly hash: string | null;
}

/** The ends of a chain: its last link, and the last one that was removed. */
interface ChainColumns extends SealedEnds {
  readonly seal: string | null;
}

/** An audit table, and how its chain is sealed. */
interface TablePlace {
  readonly table: string;
  readonly sealer: ChainSealer;
}

/** An act as it is chained: its columns without those of the chain. */
type ActColumns = Omit<Columns, 'sequence' | 'previous_hash' | 'hash'>;

/** The audit table in a SQL database. */
export function createSqlAuditStore(
  database: GatewayDatabase,
  table: string,
  sealer: ChainSealer,
): AuditStore {
  const place = { table, sealer };
  return {
    insert: (rows) =>
      database.write('insert', async (session) => {
        await insertMany(session, table, rows.filter(isScan).map(toScanColumns), {
          onConflictDoNothing: ['id'],
        });
        const acts = rows.filter((row) => row.kind === 'act');
        if (acts.length > 0) await append(session, place, acts);
      }),
    deleteOld: ({ before, personalBefore }, limit) =>
      database.write('delete', async (session) => {
        const scans = await session
          .kysely<Record<string, Columns>>()
          .selectFrom(table)
          .select('id')
          .where('kind', '=', 'scan')
          .where((where) =>
            where.or([
              where('created_at', '<', before.getTime()),
              where.and([
                where('personal', '=', 1),
                where('created_at', '<', personalBefore.getTime()),
              ]),
            ]),
          )
          .orderBy('created_at')
          .limit(limit)
          .execute();
        const acts = await trim(session, place, before, limit - scans.length);
        return remove(session, table, [...scans, ...acts]);
      }),
    deleteUser: (userIds, limit) =>
      database.write('delete', async (session) => {
        const rows = await session
          .kysely<Record<string, Columns>>()
          .selectFrom(table)
          .select('id')
          .where('user_id', 'in', [...userIds])
          .limit(limit)
          .execute();
        return remove(session, table, rows);
      }),
    seal: () =>
      // At all starts but the first it reads alone.
      database.write('select', async (session) => {
        const chain = await findChain(session, table);
        if (chain.seal !== null) return false;
        await moveEnds(session, place, chain, {});
        return chain.sequence > 0;
      }),
    verify: () => database.read((session) => verify(session, place)),
  };
}

function isScan(row: AuditRow): row is AuditScanRow {
  return row.kind === 'scan';
}

async function remove(
  session: SqlSession,
  table: string,
  rows: readonly { readonly id: string }[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await session
    .kysely<Record<string, Columns>>()
    .deleteFrom(table)
    .where('id', 'in', ids)
    .execute();
  return rows.length;
}

/** Links acts behind the last one. Whoever appends to the chain waits for the other to commit. */
async function append(
  session: SqlSession,
  at: TablePlace,
  acts: readonly AuditAct[],
): Promise<void> {
  const { table } = at;
  const chain = await findChain(session, table);
  let place: ChainPlace | null = chain.sequence === 0 ? null : chain;
  const ids = acts.map(({ id }) => id);
  const stored = await session
    .kysely<Record<string, Columns>>()
    .selectFrom(table)
    .select('id')
    .where('id', 'in', ids)
    .execute();
  const known = new Set(stored.map(({ id }) => id));
  const links: Columns[] = [];
  for (const act of acts) {
    if (known.has(act.id)) continue;
    const link: ActColumns & ChainLink = toLink(toActColumns(act), positionAfter(place), hashAct);
    const { previousHash, ...columns } = link;
    links.push({ ...columns, previous_hash: previousHash });
    place = { sequence: link.sequence, hash: link.hash };
  }
  if (place === null || links.length === 0) return;
  await insertMany(session, table, links);
  await moveEnds(session, at, chain, { sequence: place.sequence, hash: place.hash });
}

/**
 * Stores the ends of a chain with their seal. A chain without a seal gets one, which says since when. A seal that is
 * wrong stays wrong, so that the next act does not hide the manipulation.
 */
async function moveEnds(
  session: SqlSession,
  { table, sealer }: TablePlace,
  { seal: former, ...chain }: ChainColumns,
  moved: Partial<SealedEnds>,
): Promise<void> {
  const sealed_from = former === null ? chain.sequence + 1 : chain.sealed_from;
  const ends = { ...chain, ...moved, sealed_from };
  const isProven = former === null || sealer.isValid(chain, former);
  await session
    .kysely<{ [CHAINS_TABLE]: ChainColumns }>()
    .updateTable(CHAINS_TABLE)
    .set({ ...ends, seal: isProven ? sealer.seal(ends) : former })
    .where('name', '=', table)
    .execute();
}

async function findChain(session: SqlSession, table: string): Promise<ChainColumns> {
  const query = session
    .kysely<{ [CHAINS_TABLE]: ChainColumns }>()
    .selectFrom(CHAINS_TABLE)
    .selectAll()
    .where('name', '=', table);
  return toNumbers(await forUpdate(session.dialect, query).executeTakeFirstOrThrow());
}

/** PostgreSQL may give large numbers as texts. */
function toNumbers(chain: ChainColumns): ChainColumns {
  const { sequence, kept_sequence: kept, sealed_from: from } = chain;
  return {
    ...chain,
    sequence: Number(sequence),
    kept_sequence: Number(kept),
    sealed_from: from === null ? null : Number(from),
  };
}

/**
 * The acts at the beginning of the chain that are too old; the last of them is kept as the place from which the
 * rest is verified.
 */
async function trim(
  session: SqlSession,
  at: TablePlace,
  before: Date,
  limit: number,
): Promise<{ readonly id: string }[]> {
  if (limit === 0) return [];
  const { table } = at;
  const first = await session
    .kysely<Record<string, Columns>>()
    .selectFrom(table)
    .select(['id', 'sequence', 'hash', 'created_at'])
    .where('sequence', 'is not', null)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  const end = first.findIndex(({ created_at }) => created_at >= before.getTime());
  const old = end < 0 ? first : first.slice(0, end);
  const last = old.at(-1);
  if (!last) return [];
  const chain = await findChain(session, table);
  const kept_sequence = Number(last.sequence ?? 0);
  if (chain.kept_sequence < kept_sequence) {
    await moveEnds(session, at, chain, { kept_sequence, kept_hash: last.hash ?? '' });
  }
  return old;
}

async function verify(
  session: SqlSession,
  { table, sealer }: TablePlace,
): Promise<AuditVerification> {
  const chain = async (): Promise<ChainColumns> =>
    toNumbers(
      await session
        .kysely<{ [CHAINS_TABLE]: ChainColumns }>()
        .selectFrom(CHAINS_TABLE)
        .selectAll()
        .where('name', '=', table)
        .executeTakeFirstOrThrow(),
    );
  const { links, fault } = await verifyLinks(session, table, chain);
  const { seal, ...ends } = await chain();
  if (seal === null || !sealer.isValid(ends, seal)) {
    const sequence = fault?.sequence ?? Math.max(1, ends.sequence);
    return { links, fault: { sequence, reason: 'unsealed' }, sealedFrom: null };
  }
  return { links, fault, sealedFrom: ends.sealed_from };
}

function verifyLinks(session: SqlSession, table: string, chain: () => Promise<ChainColumns>) {
  const placeOf = (sequence: number, hash: string) => (sequence === 0 ? null : { sequence, hash });
  return verifyChain<ActColumns & ChainLink>({
    async findCheckpoint() {
      const { kept_sequence, kept_hash } = await chain();
      return placeOf(kept_sequence, kept_hash);
    },
    async findHead() {
      const { sequence, hash } = await chain();
      return placeOf(sequence, hash);
    },
    async readLinks(sequence, limit) {
      const rows = await session
        .kysely<Record<string, Columns>>()
        .selectFrom(table)
        .selectAll()
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .limit(limit)
        .execute();
      return rows.map(({ previous_hash, hash, sequence: place, ...columns }) => ({
        ...columns,
        sequence: place ?? 0,
        previousHash: previous_hash ?? '',
        hash: hash ?? '',
      }));
    },
    hashLink: hashAct,
    mayBeEmpty: true,
  });
}

/** SHA-256, in hex, of an act and its position. Stored hashes depend on the exact form. */
function hashAct(act: ActColumns, { sequence, previousHash }: ChainPosition): string {
  const facts = [
    ...[sequence, previousHash, act.id, act.created_at, act.request_id, act.client_id],
    ...[act.address, act.action, act.config_hash, act.detail],
  ];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function toScanColumns(row: AuditScanRow): Columns {
  return {
    id: row.id,
    kind: 'scan',
    created_at: row.createdAtMs,
    request_id: row.requestId,
    client_id: row.clientId,
    user_id: row.userId,
    address: row.address,
    action: 'scan',
    result: row.result,
    degraded: row.isDegraded ? 1 : 0,
    personal: row.isPersonal ? 1 : 0,
    duration_ms: row.durationMs,
    config_hash: row.configHash,
    reason: row.reason,
    detail: JSON.stringify(row.detail),
    sequence: null,
    previous_hash: null,
    hash: null,
  };
}

function toActColumns(act: AuditAct): ActColumns {
  return {
    id: act.id,
    kind: 'act',
    created_at: act.createdAtMs,
    request_id: act.requestId,
    client_id: act.actor,
    user_id: null,
    address: act.address,
    action: act.action,
    result: 'done',
    degraded: 0,
    personal: 0,
    duration_ms: null,
    config_hash: act.configHash,
    reason: null,
    detail: JSON.stringify(act.detail),
  };
}
