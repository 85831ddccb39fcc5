import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger, createSecretBox } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { recordStatements } from '@probity/core/testing';
import { createServer, readConfig } from '@probity/standalone';
import type { TestLifetime } from '@probity/test-support';
import { until } from '@probity/test-support';
import { createProgram, interceptClaims, jobsOf } from './claims.ts';
import { fillTables } from './filled-tables.ts';
import type { Operation } from './furnished.ts';
import { fill, furnish, operationsOf, schemasIn } from './furnished.ts';
import { openDatabase } from './open-database.ts';
import type { RecordedStatement } from './statement-plans.ts';
import { comparedValues, planFaults } from './statement-plans.ts';
import type { Bootstrapped } from './support.ts';
import { bootstrap, call, ENCRYPTION_KEY, emptyDatabases } from './support.ts';

/** Statements by their text, with the parameters of their first run. */
type Recorded = Map<string, RecordedStatement>;

/** A database whose statements are recorded under the name that `during` sets. */
function createRecording(database: SqlDatabase) {
  const recorded: Recorded = new Map();
  let source: string | null = null;
  const listener = (sql: string, parameters: readonly unknown[]) => {
    if (source === null || recorded.has(sql)) return;
    recorded.set(sql, { source, sql, parameters });
  };
  return {
    database: recordStatements(database, listener),
    statements: () => [...recorded.values()],
    async during(name: string, work: () => Promise<unknown>) {
      source = name;
      await work();
      source = null;
    },
  };
}

type Recording = ReturnType<typeof createRecording>;

/** Claims from every queue, with few due jobs and with many. */
async function recordClaims(t: TestLifetime, { database, during }: Recording): Promise<void> {
  const { parts, queues } = createProgram(t, database);
  await database.transaction((session) =>
    database.kernel(session).enqueueJobs(queues.flatMap(jobsOf)),
  );
  const claimed = interceptClaims(database);
  await during('claims', async () => {
    for (const part of parts) await part.start();
    await until(() => claimed.size === queues.length, 'every queue is claimed from');
    for (const part of parts) await part.stop();
  });
}

/** Starts the server on an open database; returns its URL. */
async function startServer(t: TestLifetime, database: SqlDatabase): Promise<string> {
  const config = readConfig({ port: '0' }, { PROBITY_METRICS_PORT: 'off', PROBITY_ROLE: 'api' });
  const lines: string[] = [];
  const server = await createServer({
    config,
    database,
    secretBox: createSecretBox([Buffer.from(ENCRYPTION_KEY, 'base64')]),
    logger: createLogger({ write: (line) => lines.push(line) }),
    tell: () => undefined,
  });
  t.after(() => server.stop());
  await server.start();
  const listening = lines.map((line) => JSON.parse(line)).find(({ url }) => url !== undefined);
  return listening.url;
}

/** The query of each filter that an operation declares, besides none. */
function queriesOf({ parameters }: Operation, document: object): string[] {
  const filters = parameters.filter(
    (each) => each.in === 'query' && !['limit', 'offset'].includes(each.name),
  );
  return ['', ...filters.map((each) => `?${each.name}=${sampleOf(each, document)}`)];
}

/** A value that a parameter accepts. */
function sampleOf(parameter: unknown, document: object): string {
  for (const { enum: allowed, format } of schemasIn(parameter, document)) {
    if (allowed) return `${allowed[0]}`;
    if (format === 'date-time') return '2026-01-01T00:00:00Z';
  }
  return 'filled_1';
}

/** Calls every operation that reads, without a filter and with each one that it declares. */
async function recordReads(
  url: string,
  owner: Bootstrapped,
  { during }: Recording,
): Promise<number> {
  const identifiers = await furnish(url, owner);
  const operations = await operationsOf(url);
  const { body: document } = await call(`${url}/openapi.json`, null);
  const reads = operations.filter(({ method, path }) => method === 'get' && !/pdf/.test(path));
  let filters = 0;
  for (const operation of reads) {
    const { path, operationId, tags, security } = operation;
    const token = tags.includes('Signing in') ? identifiers.access_token : owner.api_key;
    for (const query of queriesOf(operation, document)) {
      await during(`${operationId} ${query}`, async () => {
        const target = url + fill(path, identifiers) + query;
        const { status, body } = await call(target, security.length > 0 ? token : null);
        assert.equal(status, 200, `${operationId} ${query}: ${JSON.stringify(body)}`);
      });
      filters += query === '' ? 0 : 1;
    }
  }
  return filters;
}

for (const empty of emptyDatabases) {
  describe(`plans of statements on ${empty.name}`, () => {
    it('no list, filter or claim reads or sorts more than a page of rows that it does not return', async (t) => {
      const location = await empty.create(t);
      const owner = await bootstrap(location);
      const database = openDatabase(location, {});
      t.after(() => database.close());
      const recording = createRecording(database);
      await recordClaims(t, recording);
      const url = await startServer(t, recording.database);
      assert.ok((await recordReads(url, owner, recording)) > 8);
      const statements = recording.statements();
      await fillTables(t, database, comparedValues(statements));
      const faults = await planFaults(database, statements);
      assert.ok(faults.length === 0, faults.join('\n'));
    });
  });
}
