import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { LeasedJob, NewJob } from '@probity/core';
import { createRuntime, createSecretBox } from '@probity/core';
import { createBackground, queuesOf } from '@probity/core/program';
import type { SqlDatabase } from '@probity/core/sql';
import { migrate } from '@probity/core/sql';
import { createCapabilities, migrations, readConfig } from '@probity/standalone';
import type { TestLifetime } from '@probity/test-support';
import { until } from '@probity/test-support';
import { openDatabase } from './open-database.ts';
import { emptyDatabases } from './support.ts';

const START_MS = Date.UTC(2026, 0, 1);

/** More than a worker has places for, each in a group of its own, all due before the other's. */
const GREEDY_JOBS = 600;

function jobsOf(queue: string): NewJob[] {
  const greedy = Array.from({ length: GREEDY_JOBS }, (_, index) => ({
    ...{ id: `job_${queue}_${index}`, queue, tenantId: 'greedy', group: `group_${index}` },
    ...{ payload: {}, dueAt: new Date(START_MS) },
  }));
  const late = { id: `job_${queue}_late`, queue, tenantId: 'late', group: 'group' };
  return [...greedy, { ...late, payload: {}, dueAt: new Date(START_MS + 1) }];
}

/** Collects what the first claim of each queue returns; the workers get no job. */
function interceptClaims(database: SqlDatabase): Map<string, LeasedJob[]> {
  const claimed = new Map<string, LeasedJob[]>();
  const { kernel } = database;
  database.kernel = (session) => {
    const operations = kernel(session);
    return {
      ...operations,
      async claimJobs(request) {
        const jobs = await operations.claimJobs(request);
        if (!claimed.has(request.queue)) claimed.set(request.queue, jobs);
        return [];
      },
    };
  };
  return claimed;
}

/** Every capability of the server and its background parts, on one database. */
function createProgram(t: TestLifetime, database: SqlDatabase) {
  const config = readConfig({}, {});
  const runtime = createRuntime({ database, secretBox: createSecretBox([randomBytes(32)]) });
  const baseUrl = () => 'http://localhost';
  const { all } = createCapabilities({ runtime, database, config, baseUrl });
  const parts = createBackground(runtime, all);
  t.after(async () => {
    for (const part of parts) await part.stop();
    await database.close();
  });
  return { parts, queues: queuesOf(all) };
}

for (const empty of emptyDatabases) {
  describe(`fairness on ${empty.name}`, () => {
    it('in every queue, a job of one tenant gets a place at once beside 600 older ones of another', async (t) => {
      const database = openDatabase(await empty.create(t), {});
      const { parts, queues } = createProgram(t, database);
      await migrate(database, migrations);
      await database.transaction((session) =>
        database.kernel(session).enqueueJobs(queues.flatMap(jobsOf)),
      );
      const claimed = interceptClaims(database);
      for (const part of parts) await part.start();
      await until(() => claimed.size === queues.length, 'every queue is claimed from');
      for (const queue of queues) {
        const tenants = (claimed.get(queue) ?? []).map(({ tenantId }) => tenantId);
        assert.ok(tenants.includes('late'), `${queue}: ${tenants}`);
        const greedy = tenants.filter((tenant) => tenant === 'greedy').length;
        assert.ok(greedy > 0 && greedy <= 48, `${queue}: ${greedy} of the greedy tenant`);
      }
    });
  });
}
