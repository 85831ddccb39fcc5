import type { SqlSession } from '@probity/core/sql';
import { deleteBatch } from '@probity/core/sql';
import type { MailCountWrites } from '../storage.ts';

interface MailTables {
  probity_mail_counts: {
    /** The subject and the start of the window. */
    id: string;
    window_start: number;
    mails: number;
  };
}

/** Creates the SQL storage for mail counts. */
export function createSqlMailCounts(session: SqlSession): MailCountWrites {
  const db = () => session.kysely<MailTables>();
  return {
    async countMail(subject, windowStart) {
      const window_start = windowStart.getTime();
      const { mails } = await db()
        .insertInto('probity_mail_counts')
        .values({ id: `${subject}:${window_start}`, window_start, mails: 1 })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((eb) => ({ mails: eb('probity_mail_counts.mails', '+', 1) })),
        )
        .returning('mails')
        .executeTakeFirstOrThrow();
      return mails;
    },
    deleteOldMailCounts(before, limit) {
      const old = db()
        .selectFrom('probity_mail_counts')
        .select('id')
        .where('window_start', '<', before.getTime())
        .limit(limit);
      return deleteBatch(session, 'probity_mail_counts', 'id', old);
    },
  };
}
