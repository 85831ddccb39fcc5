import type { MemorySession } from '@probity/core';
import { WEBHOOKS } from '../webhooks/memory-tables.ts';
import { keyOf } from './counts.ts';
import { ATTEMPT_COUNTS } from './memory-tables.ts';
import type { StatReads, StatWrites } from './storage.ts';

/** Reads and writes counts of attempts in memory. */
export function createStatOperations(session: MemorySession): StatReads & StatWrites {
  const counts = () => session.table(ATTEMPT_COUNTS);
  return {
    async listAttemptCounts(webhookId, since) {
      const found = counts().filter((row) => row.webhookId === webhookId && row.hour >= since);
      const byHour = found.sort((left, right) => left.hour.getTime() - right.hour.getTime());
      return byHour.map(({ organizationId: _, ...count }) => count);
    },
    async addAttemptCounts(added) {
      for (const count of added) {
        const webhook = session.table(WEBHOOKS).get(count.webhookId);
        if (!webhook) throw new Error(`There is no webhook ${count.webhookId}.`);
        const { organizationId } = webhook;
        const { attempts = 0, succeeded = 0 } = counts().get(keyOf(count)) ?? {};
        counts().put(keyOf(count), {
          ...count,
          organizationId,
          attempts: attempts + count.attempts,
          succeeded: succeeded + count.succeeded,
        });
      }
    },
    async deleteAttemptCounts(before, limit) {
      const old = counts().filter(({ hour }) => hour < before);
      return old.slice(0, limit).filter((count) => counts().delete(keyOf(count))).length;
    },
  };
}
