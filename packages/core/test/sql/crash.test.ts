import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spawnProgram } from '@probity/test-support';
import { OUTBOX_QUEUE } from '../../src/events/outbox.ts';
import { createTestTenant } from '../../src/testing/fixtures.ts';
import type { TestDatabase } from '../../src/testing/targets.ts';
import { diskTargets, programPath } from '../support.ts';

const ROUNDS = 3;

for (const target of diskTargets) {
  describe(`${target.name}: a process killed in the middle of transactions`, () => {
    test('after kill -9 every acknowledged commit is stored, and every transaction is complete or absent', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { organizationId } = await createTestTenant(opened);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const answered = await writeUntilKilled(opened.url, organizationId, round * 40);
        await assertWhole(opened, answered);
      }
    });
  });
}

/** Marks of the commits that the program reported before it was killed. */
async function writeUntilKilled(
  url: string,
  organization: string,
  commits: number,
): Promise<string[]> {
  const program = await spawnProgram(process.execPath, [programPath('ledger'), url, organization]);
  let seen = 0;
  await program.waitForLine(() => {
    seen += 1;
    return seen >= commits;
  });
  await program.kill9();
  const lines = program.stdout.split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { mark: string }).mark);
}

/**
 * Reads everything as it was at one moment: a server may still be committing what the process had
 * asked for when it was killed.
 */
function readAll({ database }: Extract<TestDatabase, { kind: 'sql' }>) {
  return database.transaction(async ({ dialect, execute }) => {
    if (dialect === 'postgres')
      await execute('set transaction isolation level repeatable read', []);
    const read = async (sql: string) => (await execute<{ mark: string; n: number }>(sql, [])).rows;
    return {
      marks: await read(`select id as mark, 1 as n from probity_jobs where queue = 'ledger'`),
      events: await read(
        'select request_id as mark, count(*) as n from probity_events group by request_id',
      ),
      relays: await read(`select count(*) as n from probity_jobs where queue = '${OUTBOX_QUEUE}'`),
    };
  });
}

async function assertWhole(
  opened: Extract<TestDatabase, { kind: 'sql' }>,
  answered: readonly string[],
): Promise<void> {
  const { marks, events, relays } = await readAll(opened);
  const stored = new Set(marks.map(({ mark }) => mark));
  assert.ok(answered.length > 0);
  for (const mark of answered) assert.ok(stored.has(mark), `${mark} was answered and is lost`);
  assert.equal(events.length, stored.size);
  for (const { mark, n } of events) assert.deepEqual([stored.has(mark), n], [true, 2]);
  assert.equal(relays[0]?.n, 2 * stored.size);
}
