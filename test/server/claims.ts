import type { Capability, LeasedJob, LifecyclePart, NewJob, Runtime } from '@probity/core';
import { createRuntime, createSecretBox } from '@probity/core';
import { createBackground, queuesOf } from '@probity/core/program';
import type { SqlDatabase } from '@probity/core/sql';
import { createCapabilities, readConfig } from '@probity/standalone';
import type { TestLifetime } from '@probity/test-support';
import { ENCRYPTION_KEY } from './support.ts';

const START_MS = Date.UTC(2026, 0, 1);

/** More than a worker has places for, each in a group of its own, all due before the other's. */
const GREEDY_JOBS = 600;

/** The jobs of a greedy tenant, and a job of another one, in a queue. */
export function jobsOf(queue: string): NewJob[] {
  const greedy = Array.from({ length: GREEDY_JOBS }, (_, index) => ({
    ...{ id: `job_${queue}_${index}`, queue, tenantId: 'greedy', group: `group_${index}` },
    ...{ payload: {}, dueAt: new Date(START_MS) },
  }));
  const late = { id: `job_${queue}_late`, queue, tenantId: 'late', group: 'group' };
  return [...greedy, { ...late, payload: {}, dueAt: new Date(START_MS + 1) }];
}

/** Collects what the first claim of each queue returns; the workers get no job. */
export function interceptClaims(database: SqlDatabase): Map<string, LeasedJob[]> {
  const claimed = new Map<string, LeasedJob[]>();
  const { kernel } = database;
  database.kernel = (session) => {
    const operations = kernel(session);
    const watched: Partial<typeof operations> = {
      async claimJobs(request) {
        const jobs = await operations.claimJobs(request);
        if (!claimed.has(request.queue)) claimed.set(request.queue, jobs);
        return [];
      },
    };
    return Object.assign(Object.create(operations) as typeof operations, watched);
  };
  return claimed;
}

/** What the server consists of besides its routes. */
export interface ServerProgram {
  readonly parts: readonly LifecyclePart[];
  readonly queues: readonly string[];
  readonly runtime: Runtime;
  readonly capabilities: readonly Capability[];
}

/** Every queue of the server and its background parts, on one database, until the test ends. */
export function createProgram(t: TestLifetime, database: SqlDatabase): ServerProgram {
  const config = readConfig({}, {});
  const secretBox = createSecretBox([Buffer.from(ENCRYPTION_KEY, 'base64')]);
  const runtime = createRuntime({ database, secretBox });
  const baseUrl = () => 'http://localhost';
  const { all } = createCapabilities({ runtime, database, config, baseUrl });
  const parts = createBackground(runtime, all);
  t.after(async () => {
    for (const part of parts) await part.stop();
    await database.close();
  });
  return { parts, queues: queuesOf(all), runtime, capabilities: all };
}
