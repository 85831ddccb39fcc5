import { contextOf, createProbity } from '@probity/core';
import { sessionOf } from '@probity/core/sql';
import { governance } from '@probity/governance';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';
import type { Answers } from './answers.ts';

const answers = pgTable('answers', { company: text().notNull(), text: text().notNull() });

/** The same store with Drizzle: its connection is begun and committed by hand, so that it is known. */
export function createDrizzleAnswers(pool: Pool): Answers {
  const probity = createProbity({
    database: pool,
    authenticate: () => null, // no requests are served here
    capabilities: [governance()],
  });
  return {
    probity,
    async add(company, response) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await drizzle({ client }).insert(answers).values({ company, text: response });
        const session = sessionOf(client);
        const context = contextOf({ organizationId: company }, { session });
        const { scan } = await probity.services.governance.scan(context, { response });
        if (scan.verdict === 'blocked') throw new Error(`blocked: ${scan.violation?.reason}`);
        await client.query('commit');
        session.committed(); // deliveries start at once instead of at the next poll
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
