import type { TestClock, TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { z } from 'zod';
import { ProbityError } from '../../src/errors.ts';
import type { Endpoint, EndpointDeclaration, HttpMethod } from '../../src/http/endpoint.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import type { ErrorFormat } from '../../src/http/error-format.ts';
import { generalErrors, platformErrors } from '../../src/http/error-format.ts';
import type { ResponseDeclarations } from '../../src/http/reply.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { bindStorage } from '../../src/storage/bind.ts';
import type { Database, Storage } from '../../src/storage/database.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { countJobs, newJob } from '../../src/testing/records.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { sampleRouter } from './sample.ts';

/** What came back, with its body as it was sent. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly isReplay: boolean;
}

/** One send. */
export interface Send {
  readonly key?: string;
  readonly path?: string;
  readonly body?: object;
  readonly role?: 'owner' | 'admin';
  readonly method?: string;
}

/** Interfaces with the errors of each. */
export const INTERFACES = [
  { name: 'general', prefix: '/api/v1', invalidStatus: 422 },
  { name: 'platform', prefix: '/v1', invalidStatus: 400 },
] as const;

export type Interface = (typeof INTERFACES)[number];

/** Endpoints with a countable effect on a real database, over HTTP, with idempotency. */
export interface IdempotencyWorld {
  readonly clock: TestClock;
  /** How often a handler ran. */
  readonly runs: () => number;
  /** How many jobs the handlers stored. */
  readonly effects: () => Promise<number>;
  /** What the next runs do after their write. */
  behave(behavior: () => unknown): void;
  /** Sends a POST to `/jobs` of the interface with the key `k1`, unless told otherwise. */
  send(given?: Send): Promise<Answer>;
}

/** Creates a world on a separate database. */
export async function createIdempotencyWorld(
  t: TestLifetime,
  target: DatabaseTarget,
  { prefix }: Interface,
): Promise<IdempotencyWorld> {
  const opened = await target.open();
  t.after(opened.dispose);
  const database: Database = opened.database;
  const clock = createTestClock();
  let behavior: () => unknown = () => undefined;
  let runs = 0;
  const endpoints = jobEndpoints(
    bindStorage(database, () => ({})),
    () => {
      runs += 1;
      return behavior();
    },
  );
  const idempotency = createIdempotency({ database, clock });
  const router = (each: string, errorFormat: ErrorFormat) =>
    sampleRouter({ idempotency, clock, prefix: each }, errorFormat, endpoints);
  const routers = [router('/api/v1', generalErrors), router('/v1', platformErrors)];
  const url = await serveKoa(t, ...routers);
  return {
    clock,
    runs: () => runs,
    effects: () => countJobs(database),
    behave(next) {
      behavior = next;
    },
    async send({ key = 'k1', path = `${prefix}/jobs`, body = {}, role = 'owner', method } = {}) {
      const response = await fetch(url + path, {
        method: method ?? 'POST',
        headers: as(role, { 'idempotency-key': key, 'content-type': 'application/json' }),
        ...(method ? {} : { body: JSON.stringify(body) }),
      });
      const { status, headers } = response;
      const isReplay = headers.get('idempotent-replayed') === 'true';
      return { status, headers, isReplay, text: await response.text() };
    },
  };
}

const shared = { tag: 'Jobs', rateLimit: 'general', permission: 'webhooks:write' } as const;

const storedJob = z.strictObject({
  id: z.string(),
  body: z.looseObject({}).optional(),
  nested: z.strictObject({
    note: z.string(),
    list: z.array(z.number().nullable()),
    by: z.string(),
  }),
});
const storing = {
  200: { description: 'The job', schema: storedJob },
  201: { description: 'The job', schema: storedJob },
  503: { description: 'What a handler may answer', schema: storedJob },
} as const;
const answering = {
  200: { description: 'An answer', schema: z.strictObject({ answer: z.boolean() }) },
} as const;

type Handler<Responses> = EndpointDeclaration<
  unknown,
  unknown,
  unknown,
  unknown,
  Responses
>['handler'];

function declare<Responses extends ResponseDeclarations>(
  line: string,
  operationId: string,
  responses: Responses,
  handler: Handler<Responses>,
  aliases: readonly string[] = [],
): Endpoint {
  const [method, path] = line.split(' ') as [HttpMethod, string];
  return endpoint<Responses, unknown, unknown, unknown, unknown>({
    ...shared,
    method,
    path,
    ...(aliases.length > 0 ? { aliases } : {}),
    operationId,
    summary: operationId,
    responses,
    errors: ['not_found', 'conflict', 'already_exists'],
    query: z.strictObject({ force: z.string().optional() }),
    ...(path.includes('{') ? { params: z.strictObject({ job_id: z.string() }) } : {}),
    ...(method === 'POST' ? { body: z.looseObject({}) } : {}),
    handler,
  });
}

function jobEndpoints(storage: Storage<object, object>, afterWrite: () => unknown): Endpoint[] {
  const store: Handler<typeof storing> = async ({ context, body, reply }) => {
    const job = newJob();
    await storage.transaction(context, (tx) => tx.enqueueJobs([job]));
    const status = Number((await afterWrite()) ?? 201) as keyof typeof storing;
    const nested = { note: 'grün ✓', list: [1, 0.5, null], by: context.requestId };
    const stored = { id: job.id, body: body as Record<string, unknown> | undefined, nested };
    return reply(status, stored, { headers: { Location: `/jobs/${job.id}` } });
  };
  return [
    declare('POST /jobs', 'createJob', storing, store, ['/old-jobs']),
    declare('POST /jobs/{job_id}/copy', 'copyJob', storing, store, ['/copies/{job_id}']),
    declare('GET /jobs', 'storeByGet', storing, store),
    declare('PUT /jobs/{job_id}', 'storeByPut', storing, store),
    declare('PATCH /jobs/{job_id}', 'storeByPatch', storing, store),
    declare('DELETE /jobs/{job_id}', 'storeByDelete', storing, store),
    declare('POST /answers', 'answer', answering, async ({ reply }) => {
      await afterWrite();
      return reply(200, { answer: true });
    }),
    declare('POST /refusals', 'refuse', {}, async () => {
      await afterWrite();
      throw new ProbityError('not_found', 'There is no such thing.');
    }),
  ];
}
