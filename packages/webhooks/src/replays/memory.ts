import type { MemorySession } from '@probity/core';
import { byCreation, newestFirst, pageOf } from '@probity/core/internal';
import { DELIVERIES } from '../deliveries/memory-tables.ts';
import type { Delivery } from '../deliveries/types.ts';
import { WEBHOOKS } from '../webhooks/memory-tables.ts';
import { REPLAYS } from './memory-tables.ts';
import type { ReplayReads, ReplayWrites } from './storage.ts';

/** Reads and writes replays, and reads their deliveries, in memory. */
export function createReplayOperations(session: MemorySession): ReplayReads & ReplayWrites {
  const deliveries = () => session.table(DELIVERIES);
  const statusOf = ({ status, webhookId, activation }: Delivery) => {
    const current = session.table(WEBHOOKS).get(webhookId)?.activation ?? 0;
    return status === 'pending' && activation < current ? 'held' : status;
  };
  const replays = () => session.table(REPLAYS);
  const replaysOf = (webhookId: string) => replays().filter((row) => row.webhookId === webhookId);
  const isRunning = (webhookId: string) =>
    replaysOf(webhookId).some(({ status }) => status === 'running');
  return {
    async listReplays(webhookId, page) {
      return pageOf(replaysOf(webhookId), page, newestFirst);
    },
    async findReplay(webhookId, replayId) {
      const row = replays().get(replayId);
      return row?.webhookId === webhookId ? row : null;
    },
    async hasRunningReplay(webhookId) {
      return isRunning(webhookId);
    },
    async listDeliveriesOf(webhookId, eventIds) {
      const found = deliveries().filter(
        (row) => row.webhookId === webhookId && eventIds.includes(row.eventId),
      );
      return found.map((row) => ({ id: row.id, eventId: row.eventId, status: statusOf(row) }));
    },
    async listUndelivered(webhookId, { since, until }, after, limit) {
      const found = deliveries().filter(
        (row) =>
          row.webhookId === webhookId &&
          (row.status === 'failed' || row.status === 'held') &&
          row.createdAt >= since &&
          row.createdAt < until &&
          (!after || byCreation(row, after) > 0),
      );
      const oldest = found.sort(byCreation).slice(0, limit);
      return oldest.map(({ id, createdAt, eventId, eventType, isTest }) => ({
        place: { createdAt, id },
        event: { id: eventId, type: eventType },
        isTest,
      }));
    },
    async countReplayed(replayId, now, limit) {
      const times = deliveries()
        .filter((row) => row.replayId === replayId && row.status === 'pending')
        .flatMap(({ nextAttemptAt }) => (nextAttemptAt ? [nextAttemptAt] : []))
        .filter((time) => time <= now)
        .sort((left, right) => right.getTime() - left.getTime());
      return { due: Math.min(times.length, limit), latestDueAt: times[0] ?? null };
    },
    async insertReplay(replay) {
      if (replay.status === 'running' && isRunning(replay.webhookId)) {
        throw new Error(`A replay of ${replay.webhookId} is running already.`);
      }
      replays().put(replay.id, replay);
    },
    async updateReplay(replay) {
      if (replays().get(replay.id)?.status !== 'running') return false;
      replays().put(replay.id, replay);
      return true;
    },
    async deleteReplays(before, limit) {
      const old = replays().filter(({ endedAt }) => endedAt !== null && endedAt < before);
      return old.slice(0, limit).filter(({ id }) => replays().delete(id)).length;
    },
  };
}
