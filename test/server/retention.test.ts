import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createRuntime } from '@probity/core';
import { migrate } from '@probity/core/sql';
import { bootstrapOrganization } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import { migrations } from '@probity/standalone';
import { sampleTargets } from '@probity/test-support/combinations';
import { withDatabase } from './open-database.ts';
import { emptyDatabases, run, scanLeak, serve } from './support.ts';

const DAY_MS = 86_400_000;
const NOTHING = {
  events: 0,
  audit_log: 0,
  idempotency_records: 0,
  scoped_tokens: 0,
  event_subscribers: 0,
  unclaimed_events: 0,
  failed_jobs: 0,
  instances: 0,
  instance_minutes: 0,
  sessions: 0,
  password_resets: 0,
  sign_in_failures: 0,
  mail_counts: 0,
  scans_with_personal_data: 0,
  scans: 0,
  resolved_alerts: 0,
  scan_batches: 0,
  webhook_secrets: 0,
  webhook_attempt_counts: 0,
  webhook_replays: 0,
  removed_nuggets: 0,
  knowledge_imports: 0,
  unused_vectors: 0,
};

/** A stopped clock, this many days in the past. */
function clockAgo(days: number) {
  const now = new Date(Date.now() - days * DAY_MS);
  return { now: () => now, monotonicMs: () => 0, setTimer: () => ({ cancel: () => undefined }) };
}

/** An organization created 91 days ago, with three changes then and one now. */
async function createOldOrganization(location: string) {
  return withDatabase(location, async (database) => {
    await migrate(database, migrations);
    const storage = createSqlPlatformStorage(database);
    const runtimeAgo = (days: number) => createRuntime({ database, clock: clockAgo(days) });
    const { apiKey: key, organizationId } = await bootstrapOrganization(
      runtimeAgo(91),
      { storage },
      { organizationName: 'Acme', ownerEmail: 'ann@acme.example', plan: 'enterprise' },
    );
    const by = { organizationId, system: 'test' };
    for (const days of [91, 91, 91, 0]) {
      const { audit } = runtimeAgo(days);
      await database.transaction((session) =>
        audit.record(database.kernel(session), by, 'thing.changed', {
          type: 'thing',
          id: 'thing_1',
        }),
      );
    }
    return { key, organizationId };
  });
}

/** Ages all stored records by this many days, and makes the daily retention job due. */
function age(location: string, days: number): Promise<void> {
  const ms = days * DAY_MS;
  return withDatabase(location, (database) =>
    database.transaction(async (session) => {
      for (const table of ['events', 'scans', 'idempotency_records']) {
        await session.execute(`update probity_${table} set created_at = created_at - ${ms}`, []);
      }
      await session.execute("update probity_jobs set due_at = 0 where queue = 'retention'", []);
    }),
  );
}

function count(location: string, table: string): Promise<number> {
  return withDatabase(location, async ({ reader }) => {
    const { rows } = await reader.execute<{ n: number | string }>(
      `select count(*) as n from ${table}`,
      [],
    );
    return Number(rows[0]?.n);
  });
}

async function retentionRun(t: TestContext, location: string) {
  const program = run(t, ['retention', 'run', '--database', location]);
  assert.equal(await program.exited, 0, program.stderr);
  assert.match(program.stdout, /^\{.*\}\n$/);
  return JSON.parse(program.stdout) as Record<string, number>;
}

async function auditLine(t: TestContext, location: string): Promise<string> {
  const program = run(t, ['audit', 'verify', '--database', location]);
  await program.exited;
  return program.stdout;
}

/** Lets a server write records of every kind to the database. */
async function createRecords(
  t: TestContext,
  location: string,
  { key, organizationId }: Awaited<ReturnType<typeof createOldOrganization>>,
): Promise<void> {
  const { url, program } = await serve(t, location);
  const scan = () => scanLeak(url, key);
  const createKey = async (name: string) => {
    const response = await fetch(`${url}/v1/organizations/${organizationId}/api-keys`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': name,
      },
      body: JSON.stringify({ name }),
    });
    assert.equal(response.status, 201);
  };
  await scan();
  await createKey('old');
  // Until the outbox is processed: pending events are kept.
  while ((await count(location, "probity_jobs where queue = 'outbox'")) > 0) await delay(50);
  await program.terminate();
}

for (const database of sampleTargets(emptyDatabases)) {
  describe(`retention on ${database.name}`, { concurrency: true }, () => {
    it('retention run removes expired records immediately and prints how many', async (t) => {
      const location = await database.create(t);
      const organization = await createOldOrganization(location);
      assert.deepEqual(await retentionRun(t, location), {
        ...NOTHING,
        audit_log: 4,
        password_resets: 1,
      });
      await createRecords(t, location, organization);
      assert.match(await auditLine(t, location), /^org_\w+: \w+, 3 entries, .*\n$/);
      await age(location, 2);
      assert.deepEqual(await retentionRun(t, location), { ...NOTHING, idempotency_records: 1 });
      await age(location, 29);
      const scans = { ...NOTHING, scans_with_personal_data: 1 };
      assert.deepEqual(await retentionRun(t, location), scans);
      const events = await count(location, 'probity_events');
      assert.ok(events > 0);
      await age(location, 60);
      assert.deepEqual(await retentionRun(t, location), { ...NOTHING, events });
      assert.match(await auditLine(t, location), /^org_\w+: \w+, 3 entries, .*\n$/);
    });

    it('retention is applied automatically by a worker, and never by a process with the role api', async (t) => {
      const location = await database.create(t);
      await createRecords(t, location, await createOldOrganization(location));
      await age(location, 91);
      const events = await count(location, 'probity_events');
      assert.ok(events > 0);
      const api = await serve(t, location, { args: ['--role', 'api'] });
      await delay(2_000);
      await api.program.terminate();
      assert.equal(await count(location, 'probity_events'), events);
      const worker = run(t, ['serve', '--role', 'worker', '--database', location]);
      const line = await worker.waitForLine(({ message }) => message === 'retention was applied');
      assert.equal((line.removed as Record<string, number>).events, events);
      assert.equal(await worker.terminate(), 0);
      assert.equal(await count(location, 'probity_events'), 0);
    });
  });
}
