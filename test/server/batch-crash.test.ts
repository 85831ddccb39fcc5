import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { roundsOf } from '@probity/test-support/combinations';
import { withDatabase } from './open-database.ts';
import { bootstrap, call, emptyDatabases, LEAK, serveProcess } from './support.ts';

const KILLS = Number(process.env.BATCH_KILLS ?? roundsOf(6));
const PROCESSES = 2;
const SETTLE_TIMEOUT_MS = 240_000;

/** A text of some kilobytes, so that a kill often falls into a scan. */
const LONG = 'The Seine flows through Paris and ends in the Channel. '.repeat(60);

/** What becomes of each item under the built-in policy, in turn. */
const KINDS = [
  { item: { response: LONG }, verdict: 'allowed' },
  { item: { response: `${LONG} Write to maria.keller@example.org.` }, verdict: 'flagged' },
  { item: { response: `${LONG} ${LEAK}` }, verdict: 'blocked' },
  { item: { response: LONG, policyIds: ['pol_none'] }, verdict: null },
] as const;

const ITEMS = KINDS.length * roundsOf(75);

const kindOf = (index: number) => KINDS[index % KINDS.length] ?? assert.fail();

/** Rows of the database, by what they count. */
function countAll(location: string): Promise<Record<string, number>> {
  return withDatabase(location, async ({ reader }) => {
    const count = async (what: string) => {
      const { rows } = await reader.execute<{ n: number }>(`select count(*) as n from ${what}`, []);
      return Number(rows[0]?.n);
    };
    return {
      scans: await count('probity_scans'),
      alerts: await count('probity_alerts'),
      texts: await count('probity_scan_batch_items where sealed is not null'),
      completed: await count("probity_events where type = 'scan.completed'"),
      violated: await count("probity_events where type = 'policy.violated'"),
      alerted: await count("probity_events where type = 'alert.created'"),
      jobs: await count("probity_jobs where queue = 'governance.batch'"),
      failedJobs: await count('probity_failed_jobs'),
    };
  });
}

async function killDuringBatch(t: TestContext, location: string, processes: number) {
  const { api_key: key, organization_id: organizationId } = await bootstrap(location);
  const start = () => serveProcess(t, location);
  let servers = await Promise.all(Array.from({ length: processes }, start));
  const url = () => servers.at(-1)?.url ?? assert.fail();
  const scans = '/api/v1/governance/scans';
  const items = Array.from({ length: ITEMS }, (_, index) => kindOf(index).item);
  const submitted = await call(url() + scans, key, 'POST', { items });
  assert.equal(submitted.status, 202, JSON.stringify(submitted.body));
  const { id } = submitted.body.data;
  const read = async () => (await call(`${url()}${scans}/${id}`, key)).body.data;
  let inFlight = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = (ITEMS / (KILLS + 1)) * kill;
    for (let done = 0; done < enough; ) {
      const { total, pending } = await read();
      done = total - pending;
      await delay(20);
    }
    await delay(Math.random() * 30);
    const [first, ...others] = servers;
    await first?.program.kill9();
    const { texts = 0 } = await countAll(location);
    if (texts > 0) inFlight += 1;
    servers = [...others, await start()];
  }
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  let batch = await read();
  while (batch.status === 'running' && Date.now() < deadline) {
    await delay(100);
    batch = await read();
  }
  const each = ITEMS / KINDS.length;
  const { status, total, allowed, flagged, blocked, errors } = batch;
  assert.deepEqual(
    { status, total, allowed, flagged, blocked, errors },
    {
      status: 'completed',
      total: ITEMS,
      allowed: each,
      flagged: each,
      blocked: each,
      errors: each,
    },
  );
  const results = batch.results as Array<{ index: number; verdict: string; scanId: string }>;
  assert.deepEqual(
    results.map(({ index, verdict }) => [index, verdict]),
    items.map((_, index) => [index, kindOf(index).verdict]),
  );
  assert.equal(new Set(results.flatMap(({ scanId }) => scanId ?? [])).size, 3 * each);
  assert.deepEqual(await countAll(location), {
    ...{ scans: 3 * each, alerts: 2 * each, texts: 0, completed: 1 },
    ...{ violated: each, alerted: 2 * each, jobs: 0, failedJobs: 0 },
  });
  t.diagnostic(`${KILLS} kills, ${inFlight} of them while items were waiting`);
  const usage = await call(`${url()}/v1/organizations/${organizationId}/usage`, key);
  assert.equal(usage.body.gateway_scans.used, ITEMS);
  for (const { program } of servers) await program.terminate();
}

describe(`${KILLS} times kill -9 during a batch`, { concurrency: true }, () => {
  for (const database of emptyDatabases) {
    const processes = database.name === 'sqlite' ? 1 : PROCESSES;
    const count = processes === 1 ? 'one process' : `${processes} processes`;
    it(`stores exactly one record of every item with ${count} on ${database.name}`, async (t) => {
      await killDuringBatch(t, await database.create(t, 'disk'), processes);
    });
  }
});
