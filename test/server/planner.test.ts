import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { createLogger, createSecretBox } from '@probity/core';
import { coreRetentionRules } from '@probity/core/internal';
import { exposeMetrics } from '@probity/core/program';
import type { SqlDatabase } from '@probity/core/sql';
import { recordStatements } from '@probity/core/testing';
import { createServer, readConfig } from '@probity/standalone';
import type { TestLifetime } from '@probity/test-support';
import { startSmtpPeer, until } from '@probity/test-support';
import { CHANGE_RECIPES, LAST_CALLS } from './change-recipes.ts';
import type { ServerProgram } from './claims.ts';
import { createProgram, interceptClaims, jobsOf } from './claims.ts';
import { fillTables, OF_SCIM } from './filled-tables.ts';
import type { Operation } from './furnished.ts';
import {
  canSucceed,
  credentialOf,
  fill,
  furnish,
  operationsOf,
  schemasIn,
  withQuery,
} from './furnished.ts';
import { integrationEnvironment } from './integration-recipes.ts';
import { openDatabase } from './open-database.ts';
import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { activeMember, PASSWORD, POST_RECIPES, PUBLIC_POSTS } from './post-recipes.ts';
import type { ScimWorld } from './scim-recipes.ts';
import { callScim, makeScimResources } from './scim-recipes.ts';
import type { RecordedStatement } from './statement-plans.ts';
import { comparedValues, planFaults } from './statement-plans.ts';
import type { Bootstrapped } from './support.ts';
import {
  bootstrap,
  CLOSED,
  CLOSED_ALLOWED,
  call,
  ENCRYPTION_KEY,
  emptyDatabases,
  scanLeak,
} from './support.ts';

/** Statements by their text and kind, with the parameters of their first run. */
type Recorded = Map<string, RecordedStatement>;

/** A database whose statements are recorded under the name that `during` sets. */
function createRecording(database: SqlDatabase) {
  const recorded: Recorded = new Map();
  let source: string | null = null;
  let isRequest = false;
  const listener = (sql: string, parameters: readonly unknown[]) => {
    const key = `${isRequest} ${sql}`;
    if (source === null || recorded.has(key)) return;
    recorded.set(key, { source, isRequest, sql, parameters });
  };
  return {
    database: recordStatements(database, listener),
    statements: () => [...recorded.values()],
    async during(name: string, work: () => Promise<unknown>, ofRequest = false) {
      source = name;
      isRequest = ofRequest;
      await work();
      source = null;
    },
  };
}

type Recording = ReturnType<typeof createRecording>;

/** Claims from every queue, with few due jobs and with many. */
async function recordClaims(t: TestLifetime, recording: Recording): Promise<void> {
  const { during } = recording;
  const database = { ...recording.database };
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
  await database.transaction((session) => session.execute('delete from probity_jobs', []));
}

/** Starts the server with its workers on an open database. */
async function startServer(t: TestLifetime, database: SqlDatabase, env: Record<string, string>) {
  const config = readConfig({ port: '0' }, { PROBITY_METRICS_PORT: 'off', ...env });
  const lines: string[] = [];
  const server = await createServer({
    config,
    // The server would close it when it stops.
    database: { ...database, close: async () => undefined },
    secretBox: createSecretBox([Buffer.from(ENCRYPTION_KEY, 'base64')]),
    logger: createLogger({ write: (line) => lines.push(line) }),
    tell: () => undefined,
  });
  t.after(() => server.stop());
  await server.start();
  const listening = lines.map((line) => JSON.parse(line)).find(({ url }) => url !== undefined);
  return { url: listening.url as string, stop: () => server.stop() };
}

/** The query of each filter that an operation declares, besides none. */
function queriesOf(
  { parameters }: Operation,
  document: object,
  identifiers: Readonly<Record<string, string>>,
): string[] {
  const filters = parameters.filter(
    (each) =>
      each.in === 'query' &&
      !each.required &&
      !['limit', 'offset'].includes(each.name) &&
      !isRefused(each, document),
  );
  return [
    '',
    ...filters.map((each) => {
      const needed = neededFor(each, document);
      // A report on an AI system that does not exist is 404.
      const existing = each.name === 'aiSystemId' ? identifiers.ai_system_id : undefined;
      const value = existing ?? sampleOf(each, document);
      return `?${each.name}=${value}${needed === undefined ? '' : `&${needed}`}`;
    }),
  ];
}

/** The parameter with its value that a parameter needs, as its description begins. */
function neededFor(parameter: unknown, document: object): string | undefined {
  for (const { description } of schemasIn(parameter, document)) {
    const [, needed] = /^With `(\w+=\w+)`/.exec(description ?? '') ?? [];
    if (needed !== undefined) return needed;
  }
  return undefined;
}

/** Whether a parameter is declared for its error alone. */
function isRefused(parameter: unknown, document: object): boolean {
  return [...schemasIn(parameter, document)].some(({ description }) =>
    description?.startsWith('Refused'),
  );
}

/** A value that a parameter accepts. */
function sampleOf(parameter: unknown, document: object): string {
  for (const { enum: allowed, examples, format } of schemasIn(parameter, document)) {
    if (examples) return encodeURIComponent(`${examples[0]}`);
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
  const reads = operations.filter(
    (each) => each.method === 'get' && !/pdf/.test(each.path) && canSucceed(each),
  );
  let filters = 0;
  for (const operation of reads) {
    const { path, operationId, security } = operation;
    const token = credentialOf(operation, owner, identifiers);
    for (const query of queriesOf(operation, document, identifiers)) {
      await during(
        `${operationId} ${query}`,
        async () => {
          const filled = url + fill(path, identifiers);
          const target = query === '' ? filled : withQuery(filled, query.slice(1));
          const { status, body } = await call(target, security.length > 0 ? token : null);
          assert.equal(status, 200, `${operationId} ${query}: ${JSON.stringify(body)}`);
        },
        true,
      );
      filters += query === '' ? 0 : 1;
    }
  }
  return filters;
}

/** Makes the hash of a password cheap: passwords are changed often here, and not what is tested. */
function hashCheaply(t: TestContext): void {
  const { scrypt } = crypto;
  t.mock.method(crypto, 'scrypt', ((password, salt, length, options, done) =>
    scrypt(password, salt, length, { ...options, N: 2, p: 1 }, done)) as typeof scrypt);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

/** Calls the operations of PUBLIC_POSTS that the recipes do not call. */
async function postPublicly({ url, inbox, ...world }: RecipeWorld): Promise<void> {
  const { email } = await activeMember({ url, inbox, ...world });
  const post = (path: string, headers: Record<string, string>, body?: object) =>
    fetch(`${url}/v1/auth/${path}`, {
      method: 'POST',
      headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  assert.ok((await post('password/forgot', {}, { email })).ok);
  const [, token] = /token=(prs_\w+)/.exec(await inbox.textTo(email, 2)) ?? [];
  assert.ok((await post('password/reset', {}, { token, password: PASSWORD })).ok);
  const login = await post('login', {}, { email, password: PASSWORD });
  const sessionOf = async (answer: Response) => {
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
    return { cookie: cookie.join('; '), 'x-csrf-token': csrf };
  };
  const refreshed = await post('refresh', await sessionOf(login));
  assert.ok(refreshed.ok);
  assert.ok((await post('logout', await sessionOf(refreshed))).ok);
}

/** Calls every operation that changes something, and lets the workers do what follows from it. */
async function recordChanges(
  world: RecipeWorld & ScimWorld,
  database: SqlDatabase,
  { during }: Recording,
): Promise<void> {
  const kernel = database.kernel(database.reader);
  const { url, key } = world;
  const recipes: Readonly<Record<string, CallRecipe>> = { ...POST_RECIPES, ...CHANGE_RECIPES };
  // Before the recipes, which end the token.
  await during('SCIM', () => changeByScim(world), true);
  for (const { method, operationId, tags } of await operationsOf(url)) {
    if (tags.includes('SCIM')) continue;
    const recipe = recipes[operationId];
    if (!recipe) {
      const isOther = PUBLIC_POSTS.has(operationId) || LAST_CALLS.has(operationId);
      assert.ok(method === 'get' || isOther, `${operationId} has no recipe`);
      continue;
    }
    await during(
      operationId,
      async () => {
        const { path, body, key: credential = key, status } = await recipe(world);
        const answer = await call(url + path, credential, method.toUpperCase(), body);
        assert.equal(answer.status, status, `${operationId}: ${JSON.stringify(answer.body)}`);
      },
      true,
    );
  }
  await during('public posts', () => postPublicly(world), true);
  const isWithdrawn = async () => (await kernel.countJobs('webhooks.withdraw')) === 0;
  await during(
    'deliveries',
    async () => {
      const webhook = { url: `https://${CLOSED}/hook`, events: ['alert.created'] };
      const { data } = (await call(`${url}/api/v1/webhooks`, key, 'POST', webhook)).body;
      const path = `${url}/api/v1/webhooks/${data.id}`;
      const attempts = async () =>
        (await call(`${path}/deliveries`, key)).body.data[0]?.attempts.length;
      await scanLeak(url, key);
      await until(async () => (await attempts()) > 0, 'a delivery was attempted');
      await call(path, key, 'PATCH', { active: false });
      await until(isWithdrawn, 'the delivery is held');
      await call(path, key, 'DELETE');
      await until(isWithdrawn, 'the delivery is deleted');
    },
    true,
  );
}

async function changeByScim(world: ScimWorld): Promise<void> {
  const { url, scimToken } = world;
  await callScim(world);
  const { userId, groupId } = await makeScimResources(world);
  for (const path of [`/Groups/${groupId}`, `/Users/${userId}`]) {
    assert.equal((await call(`${url}/scim/v2${path}`, scimToken, 'DELETE')).status, 204);
  }
}

/** Deletes an organization that has a scan. */
async function deleteOrganization(url: string, owner: Bootstrapped): Promise<void> {
  const { organization_id: id, api_key: key } = owner;
  const path = `${url}/v1/organizations/${id}`;
  await scanLeak(url, key);
  const { slug } = (await call(path, key)).body;
  const { status, body } = await call(`${path}?confirm=${slug}`, key, 'DELETE');
  assert.equal(status, 204, JSON.stringify(body));
}

/** Reads every gauge and applies every retention rule once, to records of all ages. */
async function recordUpkeep(program: ServerProgram, { during }: Recording): Promise<void> {
  const { runtime, capabilities } = program;
  const { database, clock } = runtime;
  const metrics = {
    ...{ count: () => undefined, observe: () => undefined },
    gauge: (_: object, read: () => Promise<unknown>) => void reads.push(read),
  };
  const reads: Array<() => Promise<unknown>> = [];
  exposeMetrics({ metrics, declare: () => undefined }, { database, clock }, capabilities);
  for (const read of reads) await during('gauges', read);
  const eventDependents = capabilities.flatMap((each) => each.eventDependents ?? []);
  const rules = [
    ...coreRetentionRules({ ...runtime, eventDependents }),
    ...capabilities.flatMap(({ retention = [] }) => retention),
  ];
  const before = new Date(clock.now().getTime() + 60_000);
  for (const { name, deleteDependents, deleteBatch } of rules) {
    await during(`retention of ${name}`, async () => {
      await deleteDependents?.(before, BATCH);
      await deleteBatch(before, BATCH);
    });
  }
}

/** Sums over the runs of an organization in a time, of which there are few. */
const SUMS = /select distinct "e"\."provider", "e"\."provider_label"|sum\("e"\."successes"\)/;

/** Batches of an organization that have not ended: their number is limited by this very count. */
const RUNNING = /count\(\*\) as "count" from "probity_scan_batches" .*"ended_at" is null/;

/** Certificates by their state, which changes with the time: those of other states in between are passed over. */
const STATES = /from "probity_certificates" .*"revoked_at" is (?:not )?null/;

/** A page of organizations: it passes over those that were removed, whose rows are deleted at once. */
const TENANTS = /from "probity_tenants" where "id" > \S+ and "removed_at" is null/;

/** Statements that are looked at elsewhere, or whose rows are bounded otherwise. */
const BOUNDED = [OF_SCIM, SUMS, TENANTS, RUNNING, STATES];

/** Fewer than there are, so that what is left is looked at too. */
const BATCH = 1;

for (const empty of emptyDatabases) {
  describe(`plans of statements on ${empty.name}`, () => {
    it('no list, filter or claim reads or sorts more than a page of rows that it does not return', async (t) => {
      hashCheaply(t);
      const location = await empty.create(t);
      const owner = await bootstrap(location);
      const leaving = await bootstrap(location);
      const database = openDatabase(location, {});
      t.after(() => database.close());
      const recording = createRecording(database);
      await recordClaims(t, recording);
      const program = createProgram(t, recording.database);
      const inbox = await startSmtpPeer(t);
      const { url, stop } = await startServer(t, recording.database, {
        PROBITY_SMTP_URL: inbox.url,
        PROBITY_MAIL_FROM: 'probity@acme.example',
        PROBITY_WEBHOOKS_EGRESS_ALLOW: CLOSED_ALLOWED,
        ...(await integrationEnvironment()),
        PROBITY_RATE_LIMITS: 'platform=100000/60,general=100000/60',
      });
      assert.ok((await recordReads(url, owner, recording)) > 8);
      const { organization_id: organizationId, api_key: key, scim_token: scimToken } = owner;
      const world = { url, organizationId, key, inbox, scimToken };
      await recordChanges(world, database, recording);
      await recording.during('deleteOrganization', () => deleteOrganization(url, leaving), true);
      await stop();
      await recordUpkeep(program, recording);
      const statements = recording
        .statements()
        .filter(({ sql }) => !BOUNDED.some((known) => known.test(sql)));
      await fillTables(t, database, comparedValues(statements));
      const faults = await planFaults(database, statements);
      assert.ok(faults.length === 0, faults.join('\n'));
    });
  });
}
