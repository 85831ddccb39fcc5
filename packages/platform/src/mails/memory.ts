import type { MemorySession } from '@probity/core';
import { defineMemoryTable } from '@probity/core/internal';
import type { MailCountWrites } from './storage.ts';

interface StoredCount {
  readonly id: string;
  readonly windowStart: Date;
  readonly mails: number;
}

// A subject is a hash of a recipient or an organization.
const COUNTS = defineMemoryTable<StoredCount>('mail_counts', null);

/** Creates the in-memory storage for mail counts. */
export function createMemoryMailCounts(session: MemorySession): MailCountWrites {
  const counts = () => session.table(COUNTS);
  return {
    async countMail(subject, windowStart) {
      const id = `${subject}:${windowStart.getTime()}`;
      const mails = (counts().get(id)?.mails ?? 0) + 1;
      counts().put(id, { id, windowStart, mails });
      return mails;
    },
    async deleteOldMailCounts(before, limit) {
      const old = counts().filter(({ windowStart }) => windowStart < before);
      return old.slice(0, limit).filter(({ id }) => counts().delete(id)).length;
    },
  };
}
