import { byCreation } from '@probity/core/internal';
import type { SqlSession } from '@probity/core/sql';
import { countChanges, deleteBatch, pageOf, toDate, toDateOrNull } from '@probity/core/sql';
import { sql } from 'kysely';
import type { DeliveryRow } from '../deliveries/rows.ts';
import { statusOf } from '../deliveries/rows.ts';
import type { DeliveryRange, ReplayReads, ReplayWrites } from './storage.ts';
import type { Replay, ReplayItem, ReplayKind, ReplayPlace, ReplayStatus } from './types.ts';

/** Times are milliseconds since 1970. */
interface ReplayTables {
  probity_webhook_replays: ReplayRow;
  probity_webhook_deliveries: DeliveryRow;
  probity_webhooks: { id: string; activation: number };
}

interface ReplayRow {
  id: string;
  organization_id: string;
  webhook_id: string;
  kind: string;
  status: string;
  activation: number;
  since: number;
  until: number;
  /** JSON array of event types; null for all. */
  types: string | null;
  total: number;
  /** 1 once `total` is complete. */
  counted: number;
  done: number;
  cursor_at: number | null;
  cursor_id: string | null;
  created_at: number;
  ended_at: number | null;
}

/** Reads replays and their deliveries on a SQL session. */
export function createReplayReads(session: SqlSession): ReplayReads {
  const replaysOf = (webhookId: string) =>
    session
      .kysely<ReplayTables>()
      .selectFrom('probity_webhook_replays')
      .where('webhook_id', '=', webhookId);
  return {
    listReplays(webhookId, page) {
      const newest = replaysOf(webhookId).orderBy('created_at', 'desc').orderBy('id', 'desc');
      return pageOf(newest.selectAll(), page, toReplay);
    },
    async findReplay(webhookId, replayId) {
      const found = replaysOf(webhookId).where('id', '=', replayId);
      const row = await found.selectAll().executeTakeFirst();
      return row ? toReplay(row) : null;
    },
    async hasRunningReplay(webhookId) {
      // Not a parameter: the index has only rows with this status.
      const running = replaysOf(webhookId).where('status', '=', sql.lit('running'));
      return (await running.select('id').executeTakeFirst()) !== undefined;
    },
    async listDeliveriesOf(webhookId, eventIds) {
      if (eventIds.length === 0) return [];
      const rows = await session
        .kysely<ReplayTables>()
        .selectFrom('probity_webhook_deliveries as d')
        .innerJoin('probity_webhooks as w', 'w.id', 'd.webhook_id')
        .select(['d.id', 'd.event_id', 'd.status', 'd.activation', 'w.activation as current'])
        .where('d.webhook_id', '=', webhookId)
        .where('d.event_id', 'in', eventIds)
        .execute();
      return rows.map((row) => {
        return { id: row.id, eventId: row.event_id, status: statusOf(row, row.current) };
      });
    },
    async listUndelivered(webhookId, range, after, limit) {
      // Each in the order of an index: together they would be sorted, however many there are.
      const failed = await undelivered(session, webhookId, 'failed', range, after, limit);
      const held = await undelivered(session, webhookId, 'held', range, after, limit);
      const oldest = [...failed, ...held].sort((one, other) => byCreation(one.place, other.place));
      return oldest.slice(0, limit);
    },
    async countReplayed(replayId, now, limit) {
      const due = session
        .kysely<ReplayTables>()
        .selectFrom('probity_webhook_deliveries')
        .select('next_attempt_at')
        .where('replay_id', '=', replayId)
        // Not a parameter: the index has only rows with this status.
        .where('status', '=', sql.lit('pending'))
        .where('next_attempt_at', '<=', now.getTime())
        .orderBy('next_attempt_at', 'desc')
        .limit(limit);
      const rows = await due.execute();
      return { due: rows.length, latestDueAt: toDateOrNull(rows[0]?.next_attempt_at ?? null) };
    },
  };
}

async function undelivered(
  session: SqlSession,
  webhookId: string,
  status: 'failed' | 'held',
  { since, until }: DeliveryRange,
  after: ReplayPlace | null,
  limit: number,
): Promise<ReplayItem[]> {
  const start = after?.createdAt ?? since;
  const found = session
    .kysely<ReplayTables>()
    .selectFrom('probity_webhook_deliveries')
    .select(['id', 'event_id', 'event_type', 'test', 'created_at'])
    .where('webhook_id', '=', webhookId)
    .where('status', '=', status)
    // The end of the range is applied below: with both ends SQLite prefers the index without the status.
    .where('created_at', '>=', start.getTime())
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  const rest = after
    ? found.where(sql<boolean>`(created_at, id) > (${start.getTime()}, ${after.id})`)
    : found;
  const rows = (await rest.execute()).filter((row) => row.created_at < until.getTime());
  return rows.map((row) => ({
    place: { createdAt: toDate(row.created_at), id: row.id },
    event: { id: row.event_id, type: row.event_type },
    isTest: row.test === 1,
  }));
}

/** Writes replays on a SQL session. */
export function createReplayWrites(session: SqlSession): ReplayWrites {
  const db = () => session.kysely<ReplayTables>();
  return {
    async insertReplay(replay) {
      await db().insertInto('probity_webhook_replays').values(toRow(replay)).execute();
    },
    async updateReplay(replay) {
      const { status, total, counted, done, cursor_at, cursor_id, ended_at } = toRow(replay);
      const update = db()
        .updateTable('probity_webhook_replays')
        .set({ status, total, counted, done, cursor_at, cursor_id, ended_at })
        .where('id', '=', replay.id)
        .where('status', '=', 'running');
      return (await countChanges(update)) > 0;
    },
    deleteReplays(before, limit) {
      const old = db()
        .selectFrom('probity_webhook_replays')
        .select('id')
        .where('ended_at', '<', before.getTime())
        .orderBy('ended_at')
        .limit(limit);
      return deleteBatch(session, 'probity_webhook_replays', 'id', old);
    },
  };
}

function toRow(replay: Replay): ReplayRow {
  return {
    id: replay.id,
    organization_id: replay.organizationId,
    webhook_id: replay.webhookId,
    kind: replay.kind,
    status: replay.status,
    activation: replay.activation,
    since: replay.since.getTime(),
    until: replay.until.getTime(),
    types: replay.types && JSON.stringify(replay.types),
    total: replay.total,
    counted: Number(replay.isCounted),
    done: replay.done,
    cursor_at: replay.cursor?.createdAt.getTime() ?? null,
    cursor_id: replay.cursor?.id ?? null,
    created_at: replay.createdAt.getTime(),
    ended_at: replay.endedAt?.getTime() ?? null,
  };
}

function toReplay(row: ReplayRow): Replay {
  const { cursor_at: at, cursor_id: id } = row;
  return {
    id: row.id,
    organizationId: row.organization_id,
    webhookId: row.webhook_id,
    kind: row.kind as ReplayKind,
    status: row.status as ReplayStatus,
    activation: row.activation,
    since: toDate(row.since),
    until: toDate(row.until),
    types: row.types === null ? null : (JSON.parse(row.types) as string[]),
    total: row.total,
    isCounted: row.counted === 1,
    done: row.done,
    cursor: at === null || id === null ? null : { createdAt: toDate(at), id },
    createdAt: toDate(row.created_at),
    endedAt: toDateOrNull(row.ended_at),
  };
}
