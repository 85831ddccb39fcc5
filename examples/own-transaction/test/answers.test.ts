import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '@probity/test-support';
import pg from 'pg';
import { createAnswers } from '../src/answers.ts';
import { createDrizzleAnswers } from '../src/drizzle.ts';

const WAYS = [
  ['Kysely', createAnswers, 1],
  ['Drizzle', createDrizzleAnswers, 0],
] as const;

for (const [name, create, events] of WAYS) {
  test(`${name}: an answer, its scan and its event are stored together or not at all`, async (t) => {
    const { url } = await createTestDatabase(t);
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    await pool.query('create table answers (company text not null, text text not null)');
    process.env.PROBITY_ENCRYPTION_KEY = Buffer.alloc(32, 5).toString('base64');
    const { probity, add } = create(pool);
    await probity.migrate();
    const counts = async () => {
      const { rows } = await pool.query(`select
      (select count(*)::int from answers) as answers,
      (select count(*)::int from probity_scans) as scans,
      (select count(*)::int from probity_events) as events`);
      return rows[0];
    };
    await assert.rejects(add('acme', 'Her SSN is 536-22-8145.'), /blocked: pii_scanner found ssn/);
    assert.deepEqual(await counts(), { answers: 0, scans: 0, events: 0 });
    await add('acme', 'Your order has been packed.');
    assert.deepEqual(await counts(), { answers: 1, scans: 1, events });
    await probity.stop();
    await pool.end();
  });
}
