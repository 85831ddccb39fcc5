import type { Probity } from '@probity/core';
import { contextOf, createProbity } from '@probity/core';
import { sessionOf } from '@probity/core/sql';
import { governance } from '@probity/governance';
import { PROBITY_EVENTS, webhooks } from '@probity/webhooks';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';

/** The host's table: answers of its model. */
interface HostTables {
  answers: { company: string; text: string };
}

/** Stores answers of a model that a policy allows, each in one transaction with its scan. */
export interface Answers {
  readonly probity: Pick<Probity<[]>, 'migrate' | 'start' | 'stop'>;
  /** @throws Error when a policy blocks the answer; then neither answer, scan nor event is stored */
  add(company: string, text: string): Promise<void>;
}

/** Creates the store on the host's pool, which Probity uses too. */
export function createAnswers(pool: Pool): Answers {
  const db = new Kysely<HostTables>({ dialect: new PostgresDialect({ pool }) });
  const added = { description: 'An answer was added.', example: { scanId: 'scn_1' } };
  const eventTypes = { ...PROBITY_EVENTS, 'answer.added': added };
  const probity = createProbity({
    database: db,
    authenticate: () => null, // no requests are served here
    capabilities: [governance(), webhooks({ eventTypes })],
  });
  return {
    probity,
    async add(company, text) {
      const { governance, webhooks } = probity.services;
      const session = await db.transaction().execute(async (trx) => {
        await trx.insertInto('answers').values({ company, text }).execute();
        const session = sessionOf(trx);
        const context = contextOf({ organizationId: company }, { session });
        const { scan } = await governance.scan(context, { response: text });
        if (scan.verdict === 'blocked') throw new Error(`blocked: ${scan.violation?.reason}`);
        await webhooks.publish(context, { type: 'answer.added', data: { scanId: scan.id } });
        return session;
      });
      session.committed(); // deliveries start at once instead of at the next poll
    },
  };
}
