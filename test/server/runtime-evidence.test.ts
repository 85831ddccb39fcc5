import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { contextOf, createProbity } from '@probity/core';
import { evidence } from '@probity/evidence';
import { governance } from '@probity/governance';
import { createTestClock, until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { aiSystemId } from './evidence-recipes.ts';
import { withDatabase } from './open-database.ts';
import { bootstrap, call, ENCRYPTION_KEY, emptyDatabases, LEAK, serveProcess } from './support.ts';

const DAY_MS = 86_400_000;
const BENIGN = 'The capital of France is Paris, which lies on the Seine.';
const RECORDS = '/api/v1/compliance/evidence?evidenceType=runtime_summary';

interface Record {
  readonly aiSystemId: string | null;
  readonly metadata: { readonly day: string; readonly scans: { readonly total: number } };
  readonly links: ReadonlyArray<{ readonly framework: string }>;
}

/** Makes everything that is stored one day older, and the job that looks for days to sum up due. */
function turnClock(location: string): Promise<void> {
  return withDatabase(location, (database) =>
    database.transaction(async (session) => {
      for (const [table, column] of [
        ['scans', 'created_at'],
        ['scan_marks', 'created_at'],
        ['alerts', 'created_at'],
        ['alerts', 'resolved_at'],
        ['runtime_summaries', 'summarized_until'],
      ] as const) {
        await session.execute(`update probity_${table} set ${column} = ${column} - ${DAY_MS}`, []);
      }
      await session.execute(
        "update probity_jobs set due_at = 0 where queue = 'governance.summaries.plan'",
        [],
      );
    }),
  );
}

/** Yesterday's calls: of one AI system and of none, with an alert that was resolved. */
async function scanYesterday(t: TestContext, location: string, key: string) {
  const { url, program } = await serveProcess(t, location);
  const systemId = await aiSystemId({ url, key });
  const scan = (response: string, given = {}) =>
    call(`${url}/api/v1/governance/scan`, key, 'POST', { response, ...given });
  await scan(BENIGN);
  for (let index = 0; index < 3; index += 1) await scan(BENIGN, { aiSystemId: systemId });
  const { body: leak } = await scan(LEAK, { aiSystemId: systemId });
  const { body: alerts } = await call(
    `${url}/api/v1/alerts?scanId=${leak.governance.scan_id}`,
    key,
  );
  const resolve = `${url}/api/v1/alerts/${alerts.data[0].id}/resolve`;
  assert.equal((await call(resolve, key, 'POST', { resolution: 'A test.' })).status, 200);
  await program.terminate();
  // Before midnight (UTC) the scans are then of yesterday; just after it, of the day before.
  await turnClock(location);
  return systemId;
}

async function recordsOf(url: string, key: string): Promise<Record[]> {
  const { status, body } = await call(url + RECORDS, key);
  assert.equal(status, 200);
  return body.data;
}

for (const database of sampleTargets(emptyDatabases)) {
  describe(`runtime evidence on ${database.name}`, () => {
    it('yesterday of each AI system is one record with links in an intact chain, by two servers that are killed again and again', async (t) => {
      const location = await database.create(t, 'disk');
      const { api_key: key } = await bootstrap(location);
      const systemId = await scanYesterday(t, location, key);
      for (const pauseMs of [0, 20, 60, 120]) {
        const { program } = await serveProcess(t, location);
        await delay(pauseMs);
        program.kill9();
        await program.exited;
      }
      const servers =
        database.name === 'postgres'
          ? [await serveProcess(t, location), await serveProcess(t, location)]
          : [await serveProcess(t, location)];
      const [{ url }] = servers as [(typeof servers)[number]];
      await until(async () => (await recordsOf(url, key)).length >= 2, 'the day is on record');
      await until(
        () =>
          withDatabase(location, async (opened) => {
            const kernel = opened.kernel(opened.reader);
            const queues = ['governance.summaries', 'outbox', 'outbox.evidence'];
            const counts = await Promise.all(queues.map((queue) => kernel.countJobs(queue)));
            return counts.every((count) => count === 0);
          }),
        'nothing is left to do',
      );
      const records = await recordsOf(url, key);
      assert.deepEqual(
        records.map((each) => [each.aiSystemId, each.metadata.scans.total]).sort(),
        [
          [systemId, 4],
          [null, 1],
        ].sort(),
      );
      const record = records.find((each) => each.aiSystemId === systemId);
      assert.deepEqual(
        { ...record?.metadata, day: null },
        {
          ...{ aiSystemId: systemId, day: null, scans: { total: 4, errors: 0 } },
          ...{ verdicts: { allowed: 3, blocked: 1 }, blocks: { PII_DETECTED: 1 } },
          policies: [{ id: 'pol_builtin', version: 1, actedOn: 1 }],
          alerts: { created: 1, resolved: 1, open: 0 },
          decisions: [{ memberId: await memberOf(url, key), resolved: 1 }],
        },
      );
      const frameworks = new Set(record?.links.map(({ framework }) => framework));
      assert.ok(frameworks.has('EU AI Act'), [...frameworks].join());
      const { body: verified } = await call(`${url}/api/v1/compliance/evidence/verify`, key);
      assert.deepEqual([verified.data.valid, verified.data.records], [true, 2]);
    });

    it('an application with governance and evidence has yesterday on record once its clock is past midnight', async (t) => {
      const clock = createTestClock(Date.parse('2026-03-04T22:00:00Z'));
      const probity = createProbity({
        ...{ database: await database.create(t), clock, encryptionKey: ENCRYPTION_KEY },
        authenticate: () => null,
        capabilities: [governance(), evidence()],
      });
      t.after(() => probity.stop());
      await probity.migrate();
      await probity.start();
      const context = contextOf({ organizationId: 'acme', memberId: 'ann' });
      const { governance: scans, evidence: compliance } = probity.services;
      const { id: systemId } = await compliance.aiSystems.create(context, { name: 'Assistant' });
      const { alert } = await scans.scan(context, { response: LEAK, aiSystemId: systemId });
      await scans.alerts.resolve(context, alert?.id ?? '', { resolution: 'A test.' });
      const page = { limit: 10, offset: 0 };
      const list = () => compliance.records.list(context, {}, page);
      await clock.advance(2 * 3_600_000);
      assert.equal((await list()).total, 0);
      await clock.advance(16 * 60_000);
      await until(async () => {
        await clock.advance(1_000);
        return (await list()).total > 0;
      }, 'the day is on record');
      const { items } = await list();
      assert.deepEqual(
        items.map((each) => [each.aiSystemId, each.metadata.day, each.metadata.decisions]),
        [[systemId, '2026-03-04', [{ memberId: 'ann', resolved: 1 }]]],
      );
      assert.ok(items[0]?.obligationIds.includes('euaia-art-12'));
      const { fault, records } = await compliance.verify(context);
      assert.deepEqual([fault, records], [null, 1]);
      // Before its database is removed.
      await probity.stop();
    });
  });
}

/** The member whose key this is. */
async function memberOf(url: string, key: string): Promise<string> {
  const { body: list } = await call(`${url}/v1/organizations`, key);
  const { body } = await call(`${url}/v1/organizations/${list.organizations[0].id}/members`, key);
  return body.members[0].id;
}
